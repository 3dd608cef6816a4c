import { RelativeTime } from './relative-time.tsx'
import { Status } from './status.tsx'
import { Table } from './table.tsx'
import type { Column, TableProps } from './table.tsx'

/** A run of a workflow in words, ready to be shown. */
interface RunRow {
  id: string
  href: string
  /** The workflow's name. */
  name: string
  /** What it works on. */
  subject: string
  status: string
  trigger: string
  by: string
  duration: string
  durationMs: number | null
  /** The longest of the listed runs of the same workflow; null where it is the only one. */
  longestMs?: number | null
  queuedAt: string
}

type RunColumn = 'name' | 'subject' | 'status' | 'trigger' | 'by' | 'duration' | 'queuedAt'

const columns: Record<RunColumn, Column<RunRow>> = {
  name: { key: 'name', header: 'Workflow', width: '22%', cell: (run) => run.name },
  status: {
    key: 'status',
    header: 'Status',
    sortKey: 'status',
    width: '9.5rem',
    cell: (run) => <Status of="run" status={run.status} />,
    isVital: true,
  },
  subject: { key: 'subject', header: 'Works on', cell: (run) => run.subject },
  trigger: { key: 'trigger', header: 'Trigger', width: '7rem', cell: (run) => run.trigger },
  by: { key: 'by', header: 'Started by', cell: (run) => run.by },
  duration: {
    key: 'duration',
    header: 'Duration',
    align: 'end',
    width: '9.5rem',
    cell: (run) => <Duration run={run} />,
  },
  queuedAt: {
    key: 'queuedAt',
    header: 'Queued',
    sortKey: 'queuedAt',
    align: 'end',
    width: '7rem',
    cell: (run) => <RelativeTime at={run.queuedAt} />,
  },
}

/** A bar against the longest listed run of the same workflow, so that one that took longer than usual stands out. */
function Duration({ run: { name, duration, durationMs, longestMs } }: { run: RunRow }) {
  const share = durationMs !== null && longestMs ? Math.min(1, durationMs / longestMs) : null
  return (
    <span className="flex items-center justify-end gap-2">
      {share === null ? null : (
        <span
          aria-hidden
          data-track=""
          data-tooltip={`${Math.round(share * 100)} % of the longest listed run of ${name}`}
          className="h-1 w-12 shrink-0 overflow-hidden rounded-full bg-active"
        >
          <span
            className="block h-full rounded-full bg-control"
            style={{ width: `${Math.max(2, share * 100)}%` }}
          />
        </span>
      )}
      <span className="min-w-20 whitespace-nowrap">{duration}</span>
    </span>
  )
}

export interface RunTableProps extends Omit<
  TableProps<RunRow>,
  'columns' | 'rowKey' | 'rowHref' | 'rowLabel' | 'rowActions'
> {
  /** Which columns, in which order; the first leads to the run. */
  show: readonly RunColumn[]
}

/** What a table of runs shows: these columns in this order, the first of which leads to the run. */
export function runTable(show: readonly RunColumn[]) {
  return {
    columns: show.map((key) => columns[key]),
    rowKey: (run: RunRow) => run.id,
    rowHref: (run: RunRow) => run.href,
    rowLabel: (run: RunRow) => `${run.name} ${run.subject}`,
  }
}

/** Runs, wherever they are listed. */
export function RunTable({ show, ...rest }: RunTableProps) {
  return <Table {...rest} {...runTable(show)} />
}
