import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { useTimeStyle } from './time-style.ts'
import { preciseTime } from './time-text.ts'

export interface LogWindowLine {
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

export interface LogWindowProps {
  label: string
  count: number
  /** Undefined for a line that is still being read. */
  lineAt: (index: number) => LogWindowLine | undefined
  /**
   * What a line is known by where lines come in before the first one; by default its place. Keep it stable between
   * renders: with another function every line of the log is measured anew.
   */
  keyAt?: (index: number) => string | number
  /** Which lines are on screen, the first being 0. */
  onRange?: (first: number, last: number) => void
  /** Called when the first line comes into view. */
  onTop?: (() => void) | undefined
  /** Shown while there is no line. */
  empty: string
  /** Whether the newest line is kept in view; scrolling up ends it. */
  isFollowing: boolean
  onFollowingChange: (isFollowing: boolean) => void
  /** Text to mark in the lines. */
  marked?: string
  className?: string
}

const lineHeight = 22
/** Closer to the end than this counts as reading along. */
const followWithin = 24

const levels: Record<string, string> = {
  error: 'text-danger',
  fatal: 'text-danger',
  warning: 'text-warn',
}

/** A log of any length: lines are drawn only where seen, and asked for only when they come into view. */
export function LogWindow(props: LogWindowProps) {
  const { label, count, lineAt, keyAt, onRange, onTop, empty, marked, className } = props
  const { isFollowing, onFollowingChange } = props
  const box = useRef<HTMLDivElement>(null)
  useTimeStyle()
  // The rule warns users of the React Compiler, which this project does not use.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    ...(keyAt ? { getItemKey: keyAt } : {}),
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  const firstId = lineAt(0)?.id
  const place = useRef({ count: 0, firstId, fromEnd: 0 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const known = place.current
    const isPrepended = known.firstId !== undefined && known.firstId !== firstId && count > known.count
    // When lines come in before the first one, the reader stays at the line that was read.
    if (isPrepended) element.scrollTop = element.scrollHeight - known.fromEnd
    place.current = { count, firstId, fromEnd: element.scrollHeight - element.scrollTop }
  })
  useEffect(() => {
    if (isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' })
  }, [isFollowing, count, virtualizer])
  const onScroll = () => {
    const element = box.current
    if (!element) return
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < followWithin
    if (isAtEnd !== isFollowing) onFollowingChange(isAtEnd)
    if (element.scrollTop < 200) onTop?.()
  }
  return (
    <div className={cx('relative min-h-0 min-w-0', className)}>
      <div
        ref={box}
        role="log"
        aria-label={label}
        aria-live="off"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
        className="size-full overflow-auto py-2 font-mono text-meta leading-[22px] -outline-offset-2"
      >
        {count === 0 ? <p className="px-(--gutter) font-sans text-body text-text-3">{empty}</p> : null}
        <div style={{ height: virtualizer.getTotalSize() }} className="relative w-full">
          {items.map((item) => (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Line line={lineAt(item.index)} marked={marked} />
            </div>
          ))}
        </div>
      </div>
      {isFollowing || count === 0 ? null : (
        <Button
          size="small"
          icon={<ArrowDown size={14} aria-hidden />}
          onClick={() => onFollowingChange(true)}
          className="absolute right-4 bottom-2 bg-overlay shadow-float"
        >
          Follow
        </Button>
      )}
    </div>
  )
}

function Line({ line, marked }: { line: LogWindowLine | undefined; marked: string | undefined }) {
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
          {preciseTime(line.at)}
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
}

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
