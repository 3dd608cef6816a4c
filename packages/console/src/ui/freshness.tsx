import { cx } from './class-names.ts'
import { useTimeStyle } from './time-style.ts'
import { clockTime } from './time-text.ts'

export interface FreshnessProps {
  state: 'live' | 'connecting' | 'reconnecting' | 'offline'
  /** When what is shown was last true; needed unless live. */
  asOf?: Date | undefined
}

const looks = {
  live: { word: 'live', dot: 'bg-ok' },
  connecting: { word: 'connecting', dot: 'animate-pulse-slow bg-text-3' },
  reconnecting: { word: 'reconnecting', dot: 'animate-pulse-slow bg-warn' },
  offline: { word: 'disconnected', dot: 'bg-danger' },
} as const

/** Says whether the screen follows the server: "live", "connecting", "disconnected" …, and "as of 12:04:31". */
export function Freshness({ state, asOf }: FreshnessProps) {
  useTimeStyle()
  const age = asOf ? `as of ${clockTime(asOf)}` : undefined
  const isAged = state !== 'live' && age !== undefined
  const { word, dot } = looks[state]
  return (
    <output className="inline-flex items-center gap-1.5 text-small whitespace-nowrap text-text-3 tabular-nums">
      <span aria-hidden className={cx('size-1.5 rounded-full', dot)} />
      {/* On a phone the age stands below the word, which leaves room for the page's name. */}
      <span
        className={
          isAged
            ? 'max-sm:flex max-sm:flex-col max-sm:text-left max-sm:text-meta max-sm:leading-3.5'
            : undefined
        }
      >
        <span>{word}</span>
        {isAged ? (
          <span>
            <span className="max-sm:hidden"> · </span>
            {age}
          </span>
        ) : null}
      </span>
    </output>
  )
}
