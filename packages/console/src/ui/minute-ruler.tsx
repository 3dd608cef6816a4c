import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import { spread } from './spread-entries.ts'
import { clockTime, shortTime } from './time-text.ts'

export interface RulerEntry {
  key: string
  /** Milliseconds since 1970. */
  at: number
  mark: ReactNode
  title: string
  detail: string | null
  href: string | undefined
  isTrouble: boolean
}

/** Pixels of a minute. */
const minutePx = 14.6
/** A title and a line below it. */
const entryPx = 44
const axisX = 44
const textX = 76
const minuteMs = 60_000
const labelledMinutes = 5

/** In px, of a ruler of so many minutes. */
export const rulerHeight = (minutes: number) => Math.round(minutes * minutePx)

/** How many entries find room on a ruler of so many minutes. */
export const rulerRoom = (minutes: number) => Math.floor((minutes * minutePx) / entryPx)

/**
 * Time downwards, the newest at the top, a tick a minute; each entry is led to its minute by a line. `troubleSince` is a bar
 * from then on. At most `rulerRoom` entries, newest first.
 */
export function MinuteRuler({
  fromMs,
  toMs,
  troubleSince,
  entries,
}: {
  fromMs: number
  toMs: number
  troubleSince: number | undefined
  entries: readonly RulerEntry[]
}) {
  const height = rulerHeight((toMs - fromMs) / minuteMs)
  const yOf = (at: number) =>
    Math.round(((toMs - Math.min(toMs, Math.max(fromMs, at))) / minuteMs) * minutePx)
  const wished = entries.map(({ at }) => yOf(at))
  const tops = spread(wished, entryPx, height)
  const minutes = Array.from({ length: Math.floor((toMs - fromMs) / minuteMs) + 1 }, (_, index) => {
    const at = Math.floor(toMs / minuteMs) * minuteMs - index * minuteMs
    return { at, isLabelled: (at / minuteMs) % labelledMinutes === 0 }
  }).filter(({ at }) => at >= fromMs)
  return (
    <div className="relative" style={{ height }}>
      <svg width={textX} height={height} aria-hidden className="absolute top-0 left-0 overflow-visible">
        <path d={`M${axisX}.5 0V${height}`} className="stroke-line-strong" />
        {minutes.map(({ at, isLabelled }) => (
          <g key={at}>
            <path
              d={`M${axisX - (isLabelled ? 8 : 4)} ${yOf(at)}.5H${axisX}`}
              className="stroke-line-strong"
            />
            {isLabelled ? (
              <text
                x={axisX - 12}
                y={yOf(at) + 4}
                textAnchor="end"
                className="fill-text-3 text-meta tabular-nums"
              >
                {shortTime(new Date(at))}
              </text>
            ) : null}
          </g>
        ))}
        {troubleSince === undefined ? null : (
          <rect
            x={axisX - 1}
            y={0}
            width={3}
            height={Math.max(3, yOf(troubleSince))}
            data-live-color=""
            className="fill-danger"
          />
        )}
        {entries.map(({ key, isTrouble }, index) => (
          <path
            key={key}
            d={`M${axisX + 3} ${wished[index]}.5H${axisX + 8}L${textX - 16} ${(tops[index] ?? 0) + 10}.5H${textX - 6}`}
            fill="none"
            data-live-color=""
            className={isTrouble ? 'stroke-danger' : 'stroke-line-strong'}
          />
        ))}
      </svg>
      <ol>
        {entries.map((entry, index) => (
          <li key={entry.key} className="absolute right-0" style={{ top: tops[index], left: textX }}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Entry({ entry: { at, mark, title, detail, href, isTrouble } }: { entry: RulerEntry }) {
  const text = (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <span data-live-color="" className={isTrouble ? 'text-danger' : 'text-text-2'}>
          {mark}
        </span>
        <span className="sr-only">{clockTime(new Date(at))} </span>
        <span className="truncate group-hover:text-accent-text group-hover:underline">{title}</span>
      </span>
      <span className="block truncate pl-5 text-small text-text-2">{detail}</span>
    </>
  )
  const tooltip = [clockTime(new Date(at)), title, detail].filter(Boolean).join('\n')
  return href === undefined ? (
    <span className="block" data-tooltip={tooltip}>
      {text}
    </span>
  ) : (
    <Link href={href} className="group block rounded-control" data-tooltip={tooltip}>
      {text}
    </Link>
  )
}
