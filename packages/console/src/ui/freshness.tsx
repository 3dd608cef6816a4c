import { cx } from './class-names.ts'
import { clockTime } from './time-text.ts'

export interface FreshnessProps {
  state: 'live' | 'reconnecting' | 'offline'
  /** When what is shown was last true; needed unless live. */
  asOf?: Date | undefined
}

/** Says whether the screen follows the server: "live", "reconnecting", "as of 12:04:31". */
export function Freshness({ state, asOf }: FreshnessProps) {
  const age = asOf ? `as of ${clockTime(asOf)}` : undefined
  const word = state === 'live' ? 'live' : state === 'reconnecting' ? 'reconnecting' : 'offline'
  return (
    <output className="inline-flex items-center gap-1.5 text-small whitespace-nowrap text-text-3 tabular-nums">
      <span
        aria-hidden
        className={cx(
          'size-1.5 rounded-full',
          state === 'live' ? 'bg-ok' : state === 'reconnecting' ? 'animate-pulse-slow bg-warn' : 'bg-danger',
        )}
      />
      {word}
      {state !== 'live' && age ? <span>· {age}</span> : null}
    </output>
  )
}
