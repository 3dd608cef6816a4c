import { memo } from 'react'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { lineTime } from './time-text.ts'

export interface LogWindowText {
  id: string
  at: Date
  level: string
  /** What wrote the line: a step, a container. */
  source?: string | undefined
  text: string
  /** Where the line leads: a run that it is about. */
  link?: { text: string; href: string }
  /** Shown as a rule above the line: that another attempt or process wrote from here on. */
  rule?: string | undefined
}

const levels: Record<string, string> = {
  error: 'text-danger',
  fatal: 'text-danger',
  warning: 'text-warn',
}

interface LogWindowLineProps {
  line: LogWindowText | undefined
  /** Text to mark in the line. */
  marked: string | undefined
  /** Times are written anew when it changes. */
  timeStyle: string
}

/** A line of a log. Drawn once: while one scrolls, most lines on screen were there a frame ago. */
export const LogWindowLine = memo(function LogWindowLine({ line, marked }: LogWindowLineProps) {
  if (!line) return <div className="px-(--gutter) text-text-3">…</div>
  const level = line.level.toLowerCase()
  return (
    <>
      {line.rule ? (
        <div className="flex items-center gap-3 px-(--gutter) font-sans text-small text-text-2">
          <span aria-hidden className="h-px w-4 bg-line-strong" />
          {line.rule}
          <span aria-hidden className="h-px flex-1 bg-line-strong" />
        </div>
      ) : null}
      <div className="flex flex-wrap gap-x-4 px-(--gutter) hover:bg-hover sm:flex-nowrap">
        <time
          dateTime={line.at.toISOString()}
          data-tooltip-time={line.at.toISOString()}
          className="shrink-0 text-text-3 tabular-nums"
        >
          {lineTime(line.at)}
        </time>
        <span className={cx('w-13 shrink-0', levels[level] ?? 'text-text-3')}>{level}</span>
        <span className="min-w-0 basis-full break-words whitespace-pre-wrap sm:flex-1 sm:basis-0">
          {line.source ? <span className="mr-3 text-text-3">{line.source}</span> : null}
          <Marked text={line.text} marked={marked} />
          {line.link ? (
            <>
              {' '}
              <Link href={line.link.href} className="underline hover:text-accent-text">
                {line.link.text}
              </Link>
            </>
          ) : null}
        </span>
      </div>
    </>
  )
})

function Marked({ text, marked }: { text: string; marked: string | undefined }) {
  if (!marked) return text
  const parts: { at: number; text: string; isHit: boolean }[] = []
  const lower = text.toLowerCase()
  const wanted = marked.toLowerCase()
  let from = 0
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, from)) {
    parts.push({ at: from, text: text.slice(from, hit), isHit: false })
    from = hit + wanted.length
    parts.push({ at: hit, text: text.slice(hit, from), isHit: true })
  }
  parts.push({ at: from, text: text.slice(from), isHit: false })
  return parts.map((part) =>
    part.isHit ? (
      <mark key={`hit ${part.at}`} className="bg-warn-soft text-text">
        {part.text}
      </mark>
    ) : (
      <span key={`text ${part.at}`}>{part.text}</span>
    ),
  )
}
