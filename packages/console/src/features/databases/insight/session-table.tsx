import type { DatabaseSession } from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { doingText, rollbackText, sessionAgeMs, stateText } from './session-text.ts'

/** Sessions as a table: those of the tree, or those with an open transaction. */
export function SessionTable({
  label,
  sessions,
  nowMs,
  onChoose,
}: {
  label: string
  sessions: readonly DatabaseSession[]
  nowMs: number
  onChoose: (pid: number) => void
}) {
  const columns: Column<DatabaseSession>[] = [
    {
      key: 'pid',
      header: 'pid',
      width: '6rem',
      cell: ({ pid }) => (
        <button
          type="button"
          aria-label={`Choose session ${pid}`}
          onClick={() => onChoose(pid)}
          className="font-mono text-small underline"
        >
          {pid}
        </button>
      ),
    },
    { key: 'client', header: 'Client', width: '12rem', cell: ({ client }) => client },
    { key: 'state', header: 'State', width: '11rem', cell: stateText },
    {
      key: 'for',
      header: 'For',
      width: '7rem',
      align: 'end',
      isVital: true,
      cell: (session) => formatDuration(sessionAgeMs(session, nowMs)),
    },
    {
      key: 'waits',
      header: 'Waits for',
      width: '9rem',
      cell: ({ blockedBy }) => blockedBy.map((pid) => (pid === 0 ? 'prepared' : pid)).join(', '),
    },
    {
      key: 'statement',
      header: 'Statement',
      cell: (session) => (
        <span title={session.statement ?? undefined} className="block truncate font-mono text-small">
          {doingText(session)}
        </span>
      ),
    },
    { key: 'end', header: 'Its end', width: '14rem', isExtra: true, cell: rollbackText },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={sessions}
      rowKey={({ pid }) => String(pid)}
      rowLabel={({ pid, client }) => `${pid} ${client}`}
      empty={null}
    />
  )
}
