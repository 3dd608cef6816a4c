import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { LogWindowLine } from './log-window-line.tsx'
import type { LogWindowText } from './log-window-line.tsx'
import { useTimeStyle } from './time-style.ts'

export interface LogWindowProps {
  label: string
  count: number
  /**
   * Undefined for a line that is still being read. Answer the same object for the same line: it is drawn anew for another
   * one only.
   */
  lineAt: (index: number) => LogWindowText | undefined
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

/** A log of any length: lines are drawn only where seen, and asked for only when they come into view. */
export function LogWindow(props: LogWindowProps) {
  const { label, count, lineAt, keyAt, onRange, onTop, empty, marked, className } = props
  const { isFollowing, onFollowingChange } = props
  const box = useRef<HTMLDivElement>(null)
  const timeStyle = useTimeStyle()
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
              <LogWindowLine line={lineAt(item.index)} marked={marked} timeStyle={timeStyle} />
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
