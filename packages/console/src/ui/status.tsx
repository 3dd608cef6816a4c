import { cx } from './class-names.ts'
import { StatusMark } from './status-mark.tsx'
import { statusLook } from './status-table.ts'
import type { StatusOwner, StatusTone } from './status-table.ts'

const tones: Record<StatusTone, string> = {
  quiet: 'text-text-3',
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  info: 'text-info',
}

const softTones: Record<StatusTone, string> = {
  quiet: 'border-line-strong text-text-2',
  ok: 'border-transparent bg-ok-soft text-ok',
  warn: 'border-transparent bg-warn-soft text-warn',
  danger: 'border-transparent bg-danger-soft text-danger',
  info: 'border-transparent bg-info-soft text-info',
}

export interface StatusProps {
  /** A status in any spelling; see `statusTable`. */
  status: string | null | undefined
  /** Whose status it is: a running thing is healthy, a running run is in flight. Default: a thing's. */
  of?: StatusOwner
  /** A filled badge, for headers, cards and drawers. Rows use the plain form. */
  variant?: 'plain' | 'badge'
  /** Another word for the same status, such as a pod's reason. */
  label?: string | undefined
  title?: string
}

/** Glyph and word, always both. */
export function Status({ status, of = 'thing', variant = 'plain', label, title }: StatusProps) {
  const look = statusLook(status, of)
  const isException = look.tone === 'danger' || look.tone === 'warn' || look.tone === 'info'
  if (variant === 'badge') {
    return (
      <span
        title={title}
        data-live-color=""
        className={cx(
          'inline-flex h-5 items-center gap-1.5 rounded-badge border px-1.5 text-small font-medium whitespace-nowrap',
          softTones[look.tone],
        )}
      >
        <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
        {label ?? look.label}
      </span>
    )
  }
  return (
    <span title={title} data-live-color="" className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={tones[look.tone]}>
        <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
      </span>
      <span className={isException ? tones[look.tone] : undefined}>{label ?? look.label}</span>
    </span>
  )
}
