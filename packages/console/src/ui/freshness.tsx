import { cx } from './class-names.ts'
import { StatusMark } from './status-mark.tsx'
import { useTimeStyle } from './time-style.ts'
import { momentText } from './time-text.ts'

export interface FreshnessProps {
  /** `silent`: what is shown has a source that does not answer, although the connection to the server is well. */
  state: 'live' | 'connecting' | 'reconnecting' | 'disconnected' | 'silent'
  /** When what is shown was last true; needed unless live. */
  asOf?: Date | undefined
  /** The age stands below the word, and the whole is as wide whatever it says, and no higher than the head of a section: what is around it stays in its place. */
  isSteady?: boolean
}

const looks = {
  live: { word: 'live', glyph: 'dot', color: 'text-ok' },
  connecting: { word: 'connecting', glyph: 'half', color: 'text-text-3' },
  reconnecting: { word: 'reconnecting', glyph: 'half', color: 'text-warn' },
  silent: { word: 'no answer', glyph: 'triangle', color: 'text-warn' },
  disconnected: { word: 'disconnected', glyph: 'triangle', color: 'text-danger' },
} as const

/** Says whether the screen follows the server: "live", "connecting", "disconnected" …, and "as of 12:04:31". */
export function Freshness({ state, asOf, isSteady = false }: FreshnessProps) {
  useTimeStyle()
  const age = asOf ? `${state === 'silent' ? 'since' : 'as of'} ${momentText(asOf)}` : undefined
  const isAged = state !== 'live' && age !== undefined
  const { word, glyph, color } = looks[state]
  return (
    <output
      className={cx(
        'inline-flex items-center gap-1.5 text-small whitespace-nowrap text-text-3 tabular-nums',
        isSteady && 'min-w-26 justify-end',
      )}
    >
      <span className={color}>
        <StatusMark glyph={glyph} isBusy={glyph === 'half'} />
      </span>
      {/* On a phone the age stands below the word, which leaves room for the page's name. */}
      <span
        className={
          isAged
            ? isSteady
              ? 'flex flex-col text-left text-meta leading-3'
              : 'max-sm:flex max-sm:flex-col max-sm:text-left max-sm:text-meta max-sm:leading-3.5'
            : undefined
        }
      >
        <span>{word}</span>
        {isAged ? (
          <span>
            <span className={isSteady ? 'hidden' : 'max-sm:hidden'}>{state === 'silent' ? ' ' : ' · '}</span>
            {age}
          </span>
        ) : null}
      </span>
    </output>
  )
}
