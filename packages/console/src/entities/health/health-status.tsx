import type { Health } from '@bey/contract'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'
import { reasonText } from './reason-text.ts'

/** Glyph and word of a state of health: the reason where there is one, and why and since when on hover and focus. */
export function HealthStatus({
  health,
  label,
  variant = 'plain',
}: {
  health: Health
  /** Instead of the reason. */
  label?: string | undefined
  variant?: 'plain' | 'badge'
}) {
  const tooltip = healthTooltip(health)
  return (
    <span data-tooltip={tooltip} className="inline-flex min-w-0">
      <Status
        status={health.state === 'healthy' && health.reason ? 'completed' : health.state}
        variant={variant}
        label={label ?? healthWord(health)}
      />
    </span>
  )
}

/** "CrashLoopBackOff", or the state itself where no reason says more. */
function healthWord({ state, reason }: Health): string {
  return reason === null ? state : reasonText(reason)
}

/** The reason in words, the object at fault, and since when. */
export function healthTooltip({ detail, since, object, state }: Health): string | undefined {
  if (state === 'healthy') return undefined
  const lines = [
    detail,
    object ? `${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name}` : null,
    since ? `since ${momentText(since)}` : null,
  ].filter(Boolean)
  return lines.length > 0 ? lines.join('\n') : undefined
}
