import { type ComparedDatabase, type ComparedMetric, diskQuotaLimits } from '@bey/contract'
import type { ReactNode } from 'react'
import { placeText } from '../../../entities/databases/database-text.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { StatusMark } from '../../../ui/status-mark.tsx'
import type { Column } from '../../../ui/table.tsx'
import { reasonOf, type RowTone } from './comparison-text.ts'
import { shortDuration } from './metric-choices.ts'

const toneClass: Readonly<Record<RowTone, string>> = {
  danger: 'text-danger',
  warn: 'text-warn',
  usual: 'text-text-2',
}

export const nameColumn: Column<ComparedDatabase> = {
  key: 'name',
  header: 'Database',
  width: '16rem',
  cell: (row) => {
    const { text, tone } = reasonOf(row)
    return (
      <span className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2 py-1.5" data-live-color="">
        <span className={cx('self-center', toneClass[tone])}>
          <StatusMark glyph={tone === 'usual' ? 'dot' : 'triangle'} />
        </span>
        <span className="truncate" title={`${row.database.name} · ${placeText(row.database)}`}>
          {row.database.name} <span className="font-normal text-text-3">{placeText(row.database)}</span>
        </span>
        <span className={cx('col-start-2 truncate text-small font-normal', toneClass[tone])} title={text}>
          {text}
        </span>
      </span>
    )
  },
}

export function plotColumn(
  headContent: ReactNode,
  cell: (row: ComparedDatabase) => ReactNode,
): Column<ComparedDatabase> {
  // Without ends of its own, so that the lines of the axis go through all rows.
  return { key: 'plot', header: 'Over time', headContent, isVital: true, cell, className: 'py-0' }
}

const toneOf = (row: ComparedDatabase, metric: ComparedMetric) => {
  const deviation = row.deviations.find((each) => each.metric === metric)
  return deviation === undefined ? undefined : deviation.isSevere ? 'text-danger' : 'text-warn'
}

const percent = (share: number | null) => (share === null ? '—' : `${Math.round(share * 100)}%`)
const from = (share: number | null, [warn, danger]: readonly [number, number]) =>
  share === null ? undefined : share >= danger ? 'text-danger' : share >= warn ? 'text-warn' : undefined

function figure(
  header: string,
  width: string,
  textOf: (row: ComparedDatabase) => string,
  tone: (row: ComparedDatabase) => string | undefined = () => undefined,
): Column<ComparedDatabase> {
  return {
    key: header,
    header,
    width,
    align: 'end',
    cell: (row) => (
      <span data-live-color="" className={tone(row)}>
        {textOf(row)}
      </span>
    ),
  }
}

/** Figures of now; a dash where a thing is not measured. */
export const figureColumns: readonly Column<ComparedDatabase>[] = [
  figure(
    'Load',
    '4.25rem',
    ({ now }) => (now.load === null ? '—' : formatNumber(Number(now.load.toFixed(1)))),
    (row) => toneOf(row, 'load'),
  ),
  figure(
    'Connections',
    '6.25rem',
    ({ now }) => percent(now.connections),
    (row) => toneOf(row, 'connections') ?? from(row.now.connections, [0.8, 0.9]),
  ),
  figure('Cache', '4.25rem', ({ now }) => percent(now.cacheHit)),
  figure('Lag', '4.5rem', ({ now }) => (now.lagMs === null ? '—' : shortDuration(now.lagMs))),
  figure(
    'Disk',
    '5rem',
    ({ now }) => (now.disk === null ? formatBytes(now.sizeBytes) : percent(now.disk)),
    ({ now }) => from(now.disk, diskQuotaLimits.warnFrom),
  ),
  figure(
    'p95',
    '5.25rem',
    ({ now }) => (now.p95Ms === null ? '—' : shortDuration(now.p95Ms)),
    (row) => toneOf(row, 'latency'),
  ),
]
