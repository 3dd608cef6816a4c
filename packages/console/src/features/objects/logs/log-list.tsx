import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode, Ref, RefObject } from 'react'
import { useTimeStyle } from '../../../ui/time-style.ts'
import { isToday } from '../../../ui/time-text.ts'
import type { RowSource } from './log-row.tsx'
import { LogLineRow, LogRuleRow } from './log-row.tsx'
import { Measured } from './measured.tsx'
import { firstIndex } from '../../../entities/kubernetes/logs/kept-lines.ts'
import type { LineEntry, LogStore } from '../../../entities/kubernetes/logs/log-store.ts'
import { createRowLayout, lineHeight } from './row-layout.ts'
import type { RowLayout } from './row-layout.ts'
import { useBoxSize } from './use-box-size.ts'
import { useLogSnapshot } from './use-log-stream.ts'

const overscanPx = 400

/** What others ask of the list: the minimap, the search, keys. */
export interface LogListHandle {
  reveal: (id: number) => void
  scrollToOffset: (top: number) => void
  layout: RowLayout
  box: RefObject<HTMLDivElement | null>
}

export interface LogListProps {
  label: string
  /** Characters of the longest suffix of a pod. */
  suffixColumns: number
  store: LogStore
  sourceOf: (source: number) => RowSource
  pattern: RegExp | undefined
  currentId: number | undefined
  isWrapped: boolean
  hasTime: boolean
  areFieldsParsed: boolean
  handle: Ref<LogListHandle>
  onScroll: () => void
  renderOpen: (entry: LineEntry) => ReactNode
}

/** The lines, drawn only where seen. Follows the end until somebody scrolls up, which pauses. */
export function LogList(props: LogListProps) {
  const { store, sourceOf, pattern, currentId, isWrapped, hasTime, areFieldsParsed, handle } = props
  useTimeStyle()
  const { visible, isPaused } = useLogSnapshot(store)
  const box = useRef<HTMLDivElement>(null)
  const [layout] = useState(createRowLayout)
  const [scrollTop, setScrollTop] = useState(0)
  const [openId, setOpenId] = useState<number>()
  const [openHeight, setOpenHeight] = useState(0)
  const [activeId, setActiveId] = useState<number>()
  const lastTop = useRef(0)
  const [oldest] = visible
  // Of a log that reaches over midnight.
  const isDated = oldest !== undefined && !isToday(new Date(oldest.at))
  const time = hasTime ? (isDated ? 'day' : 'clock') : 'none'
  const size = useBoxSize(box, { hasLines: visible.length > 0, time })

  layout.update(visible, {
    columns: isWrapped ? size.columns : undefined,
    isRaw: !areFieldsParsed,
    openId,
    openHeight,
  })
  const total = layout.total()
  const top = isPaused ? Math.min(scrollTop, Math.max(0, total - size.height)) : total - size.height
  const first = layout.indexAt(Math.max(0, top - overscanPx))
  const end = Math.min(visible.length, layout.indexAt(top + size.height + overscanPx) + 1)

  useLayoutEffect(() => {
    const element = box.current
    if (!element || isPaused) return
    element.scrollTop = total
    lastTop.current = element.scrollTop
  }, [isPaused, total, size.height])

  useImperativeHandle(handle, () => {
    const scrollTo = (offset: number) => {
      store.pause()
      const element = box.current
      if (!element) return
      element.scrollTop = offset
      lastTop.current = element.scrollTop
      setScrollTop(element.scrollTop)
    }
    return {
      layout,
      box,
      reveal(id) {
        setActiveId(id)
        const middle = (box.current?.clientHeight ?? 0) / 2
        scrollTo(Math.max(0, layout.offsetOf(firstIndex(visible, id)) - middle))
      },
      scrollToOffset: scrollTo,
    }
  })

  const onScroll = () => {
    const element = box.current
    if (!element) return
    // Only a person moves up: new lines move down.
    if (element.scrollTop < lastTop.current - 2 && !isPaused) store.pause()
    lastTop.current = element.scrollTop
    setScrollTop(element.scrollTop)
    props.onScroll()
  }

  const toggle = (id: number) => {
    store.pause()
    setActiveId(id)
    setOpenHeight(0)
    setOpenId((last) => (last === id ? undefined : id))
  }

  const move = (step: 1 | -1) => {
    const from =
      activeId === undefined ? layout.indexAt(top + size.height - lineHeight) : firstIndex(visible, activeId)
    const next = visible[Math.max(0, Math.min(visible.length - 1, from + step))]
    if (!next) return
    store.pause()
    setActiveId(next.id)
    if (box.current) bringIntoView(box.current, layout.offsetOf(firstIndex(visible, next.id)))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'ArrowDown' || event.key === 'j') move(1)
    else if (event.key === 'ArrowUp' || event.key === 'k') move(-1)
    else if (event.key === 'Enter' && activeId !== undefined) toggle(activeId)
    else if (event.key === 'Escape' && openId !== undefined) setOpenId(undefined)
    else return
    event.preventDefault()
  }

  return (
    // Its keys move and open lines; each of them would be a stop of the Tab key otherwise.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      role="log"
      aria-label={props.label}
      aria-live="off"
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto bg-sunken font-mono text-small leading-5 -outline-offset-2"
    >
      <div style={rowsStyle(total, props.suffixColumns, isDated)} className="ml-(--gutter)">
        <div style={{ transform: `translateY(${layout.offsetOf(first)}px)` }}>
          {visible.slice(first, end).map((entry) => {
            if (entry.kind === 'rule')
              return <LogRuleRow key={entry.id} entry={entry} source={sourceOf(entry.source)} time={time} />
            const isOpen = entry.id === openId
            return (
              <div key={entry.id}>
                <LogLineRow
                  entry={entry}
                  source={sourceOf(entry.source)}
                  pattern={pattern}
                  isCurrent={entry.id === currentId}
                  isActive={entry.id === activeId}
                  isOpen={isOpen}
                  isWrapped={isWrapped}
                  time={time}
                  areFieldsParsed={areFieldsParsed}
                  onToggle={toggle}
                />
                {isOpen ? <Measured onHeight={setOpenHeight}>{props.renderOpen(entry)}</Measured> : null}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function rowsStyle(height: number, suffixColumns: number, isDated: boolean): CSSProperties {
  const widths: Record<`--${string}`, string> = {
    '--suffix': `${suffixColumns}ch`,
    '--time': isDated ? '20ch' : '12ch',
  }
  return { height, ...widths }
}

/** Scrolls no further than a line needs that begins at `offset`. */
function bringIntoView(box: HTMLElement, offset: number): void {
  if (offset < box.scrollTop) box.scrollTop = offset
  else if (offset + lineHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = offset + lineHeight - box.clientHeight
}
