import { type DatabaseRestore, recoveryMs, tableText } from '@bey/contract'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { absent, formatCount, formatDuration } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { momentText } from '../../../ui/time-text.ts'

/** What was restored of a database, and what drills proved. */
export function RestoreTable({ restores }: { restores: readonly DatabaseRestore[] | undefined }) {
  return (
    <Table
      label="Restores and drills"
      columns={columns}
      rows={restores}
      rowKey={({ id }) => id}
      rowLabel={({ kind, createdAt }) => `${kind} of ${momentText(createdAt)}`}
      rowHref={({ run, databaseId }) =>
        run === null ? databaseHref(databaseId, 'backups') : `/workflows/${run.workflowId}/runs/${run.runId}`
      }
      empty={
        <EmptyState
          title="Never proven"
          description="A backup is proven when it was restored and its checks passed. A drill does that in a server of its own, and measures how long it takes."
        />
      }
    />
  )
}

const kindTexts: Readonly<Record<DatabaseRestore['kind'], string>> = {
  drill: 'Drill',
  restore: 'Restore',
  table: 'One table',
}

const columns: readonly Column<DatabaseRestore>[] = [
  {
    key: 'kind',
    header: 'What',
    width: '8.5rem',
    cell: ({ kind, createdAt }) => (
      <>
        {kindTexts[kind]}{' '}
        <span className="text-text-3">
          <RelativeTime at={createdAt} />
        </span>
      </>
    ),
  },
  {
    key: 'status',
    header: 'State',
    width: '8.5rem',
    isVital: true,
    cell: ({ status, proof }) => <Status status={proof ?? status} of="run" />,
  },
  {
    key: 'moment',
    header: 'As of',
    width: '7rem',
    cell: ({ targetTime, reachedAt, proof }) => {
      const at = targetTime ?? reachedAt
      if (at === null && proof === 'could_not_run') return absent
      return at === null ? <span className="text-text-3">the backup itself</span> : momentText(at)
    },
  },
  {
    key: 'took',
    header: 'Back in',
    align: 'end',
    width: '4.5rem',
    cell: ({ durations }) => formatDuration(recoveryMs(durations)),
  },
  {
    key: 'result',
    header: 'Result',
    cell: ({ failure, checks, newDatabase, table, proof, lostMs }) => (
      <span className="truncate" data-tooltip={failure ?? undefined}>
        {failure === null ? (
          <>
            {newDatabase === null ? null : (
              <Link href={databaseHref(newDatabase.id)} className="hover:underline">
                {newDatabase.name}
              </Link>
            )}{' '}
            <span className="text-text-3">
              {[
                table === null ? '' : tableResult(table),
                checksText(checks),
                lostMs === null ? '' : `${formatDuration(lostMs)} would have been lost`,
              ]
                .filter(Boolean)
                .join(', ')}
            </span>
          </>
        ) : (
          <span className={proof === 'could_not_run' ? 'text-text-2' : 'text-danger'}>{failure}</span>
        )}
      </span>
    ),
  },
]

/** "price_rules, 48,212 rows". */
function tableResult({ schema, name, into, rows }: NonNullable<DatabaseRestore['table']>): string {
  const text = tableText({ schema, name: into ?? name })
  return rows === null ? text : `${text}, ${formatCount(rows, 'row')}`
}

/** "2 of 3 checks passed"; a check that could not be asked did not pass. */
function checksText(checks: DatabaseRestore['checks']): string {
  if (checks.length === 0) return ''
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length
  return `${passed} of ${formatCount(checks.length, 'check')} passed`
}
