import type { PaletteEntity } from '@bey/contract'
import { entityOf } from '@bey/contract'
import { ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { cx } from '../../ui/class-names.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Status } from '../../ui/status.tsx'
import { rowHeight } from '../../ui/table-window.ts'
import { formatNumber } from '../../lib/format.ts'
import { isFound } from './item.ts'
import type { PaletteItem } from './item.ts'
import { kindOf } from './kinds.tsx'
import { offsetsOf, useListWindow } from './list-window.ts'
import type { Row } from './results.ts'
import { OneShortcut } from './shortcut-keys.tsx'

export type OptionRow = Extract<Row, { kind: 'option' }>

export function optionsOf(rows: readonly Row[]): OptionRow[] {
  return rows.filter((row) => row.kind === 'option')
}

export interface PaletteListProps {
  id: string
  rows: readonly Row[]
  activeIndex: number | undefined
  /** Shows the digit that chooses each of the first nine. */
  isQuickSelect: boolean
  onPoint: (index: number) => void
  onChoose: (item: PaletteItem) => void
  /** Opens the preview where nothing can hover. */
  onLook: (index: number) => void
}

const headHeight = 28
/** Room above the first and below the last row. */
const edge = 4

/** The results, of which only those in sight are drawn. */
export function PaletteList(props: PaletteListProps) {
  const { id, rows, activeIndex, isQuickSelect, onPoint, onChoose, onLook } = props
  const box = useRef<HTMLDivElement>(null)
  const optionHeight = rowHeight()
  const offsets = useMemo(
    () => offsetsOf(rows.map((row) => (row.kind === 'group' ? headHeight : optionHeight))),
    [rows, optionHeight],
  )
  const { first, end } = useListWindow(box, offsets)
  const activeAt = rows.findIndex((row) => row.kind === 'option' && row.index === activeIndex)
  useEffect(() => {
    const element = box.current
    if (!element || activeAt < 0) return
    // The heading of the first of a group comes into sight with it.
    const top = offsets[rows[activeAt - 1]?.kind === 'group' ? activeAt - 1 : activeAt] ?? 0
    const bottom = (offsets[activeAt + 1] ?? 0) + 2 * edge
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom - element.clientHeight
    }
  }, [activeAt, rows, offsets])
  // The chosen row is rendered even when it is scrolled away, because aria-activedescendant names it.
  const drawn = rows.slice(first, end).map((row, at) => ({ row, at: first + at }))
  const active = rows[activeAt]
  if (active && (activeAt < first || activeAt >= end)) drawn.push({ row: active, at: activeAt })
  const optionCount = rows.reduce((count, row) => count + (row.kind === 'option' ? 1 : 0), 0)
  return (
    <div ref={box} className="max-h-[300px] min-h-0 overflow-y-auto overscroll-contain" tabIndex={-1}>
      <div
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list shows no icons
        role="listbox"
        aria-label="Results"
        className="relative w-full"
        style={{ height: rows.length === 0 ? 0 : (offsets.at(-1) ?? 0) + 2 * edge }}
      >
        {drawn.map(({ row, at }) => {
          const start = offsets[at] ?? 0
          const place = {
            height: (offsets[at + 1] ?? 0) - start,
            transform: `translateY(${start + edge}px)`,
          }
          if (row.kind === 'group') {
            return (
              <div
                key={row.key}
                role="presentation"
                style={place}
                className="absolute inset-x-0 top-0 flex items-end justify-between px-4 pb-1 text-meta font-medium text-text-3"
              >
                {row.label}
                {row.count === undefined ? null : <span>newest of {formatNumber(row.count)}</span>}
              </div>
            )
          }
          return (
            <Option
              key={`${row.group}/${row.item.id}`}
              id={`${id}-${row.index}`}
              row={row}
              count={optionCount}
              style={place}
              isActive={row.index === activeIndex}
              isQuickSelect={isQuickSelect}
              onPoint={onPoint}
              onChoose={onChoose}
              onLook={onLook}
            />
          )
        })}
      </div>
    </div>
  )
}

interface OptionProps extends Pick<PaletteListProps, 'isQuickSelect' | 'onPoint' | 'onChoose' | 'onLook'> {
  id: string
  row: OptionRow
  count: number
  style: { height: number; transform: string }
  isActive: boolean
}

function Option({ id, row, count, style, isActive, isQuickSelect, onPoint, onChoose, onLook }: OptionProps) {
  const { item, index } = row
  const found = item.type === 'object' ? item.object : item.type === 'host' ? item.host : undefined
  const shortcut = item.shortcuts[0]
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys come to it from the search, which keeps the focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-posinset={index + 1}
      aria-setsize={count}
      onPointerMove={(event) => {
        if (event.pointerType === 'mouse') onPoint(index)
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(item)}
      style={style}
      className={cx(
        'absolute top-0 right-1.5 left-1.5 flex cursor-pointer items-center gap-3 rounded-control px-2.5',
        isActive && 'bg-active',
      )}
    >
      <span className="shrink-0 text-text-3">{kindOf(item).icon(item)}</span>
      {/* Things of one name are told apart by where they are: on a phone that has a line of its own. */}
      <span className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col">
        <span className="truncate font-medium sm:max-w-[70%] sm:shrink-0">{item.title}</span>
        <span className="min-w-0 truncate text-text-2 empty:hidden max-sm:text-meta sm:flex-1">
          {secondLine(item)}
        </span>
      </span>
      {'entity' in item ? (
        <span className="flex shrink-0 items-center text-small text-text-2 max-sm:hidden">
          <EntityStatus item={item} />
        </span>
      ) : null}
      {found?.health && found.health.state !== 'healthy' ? (
        <span className="flex shrink-0 items-center text-small text-text-2">
          <HealthStatus health={found.health} label={found.health.state} />
        </span>
      ) : null}
      {isQuickSelect && index < 9 ? (
        <span aria-hidden className="touch:hidden">
          <KeyHint keys={['Mod', String(index + 1)]} />
        </span>
      ) : shortcut ? (
        <span aria-hidden className="touch:hidden">
          <OneShortcut shortcut={shortcut} />
        </span>
      ) : null}
      <span
        aria-hidden
        data-preview-key=""
        onClick={(event) => {
          event.stopPropagation()
          onLook(index)
        }}
        className="-mr-1.5 flex size-6 shrink-0 items-center justify-center text-text-3 touch:size-9 min-[1064px]:hidden"
      >
        <ChevronRight size={14} />
      </span>
    </div>
  )
}

/** A running cluster shows its health instead of its status. */
function EntityStatus({ item: { entity } }: { item: { entity: PaletteEntity } }) {
  const { health, status } = entity
  if (health && status === 'RUNNING' && health.state !== 'healthy')
    return <HealthStatus health={health} label={health.state} />
  return <Status of={entityOf(entity.type).statusOwner ?? 'thing'} status={status} />
}

function secondLine(item: PaletteItem): string {
  if ('entity' in item || isFound(item)) return item.description || item.category
  return item.category === item.title ? '' : item.category
}
