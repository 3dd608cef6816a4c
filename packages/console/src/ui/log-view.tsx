import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { useTimeStyle } from './time-style.ts'
import { lineTime } from './time-text.ts'

interface LogLine {
  id: string
  at: Date
  level: string
  /** What wrote the line: a step, a container. */
  source?: string | undefined
  text: string
}

export interface LogViewProps {
  label: string
  lines: readonly LogLine[]
  /** Shown while there is no line. */
  empty?: string
  /** CSS height that the box may have. */
  height?: string
  /** It has that height from the beginning. */
  isSteady?: boolean
}

const lineHeight = 20
/** Closer to the end than this counts as reading along. */
const followWithin = 24

const levels: Record<string, string> = {
  error: 'text-danger',
  fatal: 'text-danger',
  warn: 'text-warn',
  warning: 'text-warn',
  success: 'text-ok',
  info: 'text-text-3',
}

/** Log lines, drawn only where seen; follows the end until one scrolls up. */
export function LogView({
  label,
  lines,
  empty = 'No log lines yet.',
  height = '24rem',
  isSteady = false,
}: LogViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  useTimeStyle()
  // The rule warns users of the React Compiler, which this project does not use.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 20,
  })
  const last = lines.at(-1)?.id
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [isFollowing, last, lines.length, virtualizer])
  const onScroll = () => {
    const element = box.current
    if (!element) return
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < followWithin)
  }
  const wholeText = () =>
    lines.map((line) => `${line.at.toISOString()} ${line.level} ${line.text}`).join('\n')

  return (
    <div className="relative rounded-control border border-line bg-sunken">
      <div
        ref={box}
        role="log"
        aria-label={label}
        aria-live="off"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
        style={isSteady ? { height } : { maxHeight: height }}
        className="overflow-auto rounded-control py-2 font-mono text-small leading-5"
      >
        {lines.length === 0 ? <p className="px-3 font-sans text-text-3">{empty}</p> : null}
        <div style={{ height: virtualizer.getTotalSize() }} className="relative w-full">
          {virtualizer.getVirtualItems().map((item) => {
            const line = lines[item.index]
            if (!line) return null
            return (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0 flex flex-wrap gap-x-3 pr-12 pl-3 hover:bg-hover sm:flex-nowrap"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <time
                  dateTime={line.at.toISOString()}
                  data-tooltip-time={line.at.toISOString()}
                  className="shrink-0 text-text-3 tabular-nums"
                >
                  {lineTime(line.at)}
                </time>
                <span className={cx('w-14 shrink-0', levels[line.level.toLowerCase()] ?? 'text-text-3')}>
                  {line.level.toLowerCase()}
                </span>
                <span className="min-w-0 basis-full break-words whitespace-pre-wrap sm:flex-1 sm:basis-0">
                  {line.source ? <span className="mr-2 text-text-3">{line.source}</span> : null}
                  {line.text}
                </span>
              </div>
            )
          })}
        </div>
      </div>
      {lines.length > 0 ? (
        <div className="absolute top-1 right-3 rounded-control bg-sunken">
          <CopyButton text={wholeText} label="Copy log" />
        </div>
      ) : null}
      {isFollowing || lines.length === 0 ? null : (
        <Button
          size="small"
          icon={<ArrowDown size={14} aria-hidden />}
          onClick={() => setFollowing(true)}
          className="absolute right-3 bottom-2 bg-overlay shadow-float"
        >
          Follow
        </Button>
      )}
    </div>
  )
}
