import { StatusMark } from './status-mark.tsx'
import { useTimeStyle } from './time-style.ts'
import { clockTime } from './time-text.ts'

export interface FreshnessProps {
  state: 'live' | 'connecting' | 'reconnecting' | 'offline'
  /** When what is shown was last true; needed unless live. */
  asOf?: Date | undefined
}

const looks = {
  live: { word: 'live', glyph: 'dot', color: 'text-ok' },
  connecting: { word: 'connecting', glyph: 'half', color: 'text-text-3' },
  reconnecting: { word: 'reconnecting', glyph: 'half', color: 'text-warn' },
  offline: { word: 'disconnected', glyph: 'triangle', color: 'text-danger' },
} as const

/** Says whether the screen follows the server: "live", "connecting", "disconnected" …, and "as of 12:04:31". */
export function Freshness({ state, asOf }: FreshnessProps) {
  useTimeStyle()
  const age = asOf ? `as of ${clockTime(asOf)}` : undefined
  const isAged = state !== 'live' && age !== undefined
  const { word, glyph, color } = looks[state]
  return (
    <output className="inline-flex items-center gap-1.5 text-small whitespace-nowrap text-text-3 tabular-nums">
      <span className={color}>
        <StatusMark glyph={glyph} isBusy={glyph === 'half'} />
      </span>
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
