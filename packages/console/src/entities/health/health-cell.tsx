import type { Health } from '@bey/contract'
import { HealthStatus } from './health-status.tsx'

/** In a row the reason is the status: "CrashLoopBackOff · exit code 1, 11 restarts". */
export function HealthCell({ health }: { health: Health }) {
  const isQuiet = health.state === 'healthy' || !health.detail
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0">
        <HealthStatus health={health} />
      </span>
      {isQuiet ? null : (
        <span className="min-w-0 truncate text-text-2" data-tooltip={health.detail}>
          {health.detail}
        </span>
      )}
    </span>
  )
}
