import type { DatabaseStatement } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useDatabaseStatements } from '../../../data/database-insight.ts'
import { useRole } from '../../../data/session.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import { formatMs } from '../sql/result-text.ts'
import { issuerText, statementLine } from './statement-text.ts'
import { waitLooks } from './wait-looks.ts'

const shown = 5

/** The statements that the load of the last hour is made of, cut by the same waits; nothing where none was seen. */
export function LoadStatements({ databaseId }: { databaseId: string }) {
  const denied = deniedReason(useRole(), 'databases.sessions')
  const { data } = useDatabaseStatements(databaseId, '1h', denied === undefined)
  const seen = (data?.statements ?? [])
    .filter((statement) => totalLoad(statement) > 0)
    .toSorted((a, b) => totalLoad(b) - totalLoad(a))
  const [first] = seen
  if (first === undefined) return null
  const most = totalLoad(first)
  const columns: Column<DatabaseStatement>[] = [
    {
      key: 'statement',
      header: 'Statement',
      cell: ({ text }) => (
        <span title={text.slice(0, 500)} className="block truncate font-mono text-small">
          {statementLine(text)}
        </span>
      ),
    },
    {
      key: 'load',
      header: 'Load, by wait',
      width: '10rem',
      isVital: true,
      cell: ({ load }) => <LoadBar load={load} most={most} />,
    },
    {
      key: 'mean',
      header: 'Mean',
      width: '6rem',
      align: 'end',
      cell: ({ meanMs }) => (meanMs === null ? '—' : formatMs(meanMs)),
    },
    { key: 'issued', header: 'Issued by', width: '10rem', cell: issuerText },
  ]
  return (
    <Section
      title="What the load of the last hour is made of"
      aside={
        <Link href={databaseHref(databaseId, 'statements')} className="underline hover:text-accent-text">
          {formatCount(data?.statements.length ?? 0, 'statement')}
        </Link>
      }
    >
      <TableCard>
        <Table
          label="What the load is made of"
          columns={columns}
          rows={seen.slice(0, shown)}
          rowKey={({ queryId }) => queryId}
          rowLabel={({ text }) => statementLine(text).slice(0, 80)}
          empty={null}
        />
      </TableCard>
    </Section>
  )
}

function LoadBar({ load, most }: { load: DatabaseStatement['load']; most: number }) {
  const all = load.cpu + load.io + load.lock + load.other
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="flex h-2.5 flex-1">
        {waitLooks.map(({ key, swatch }) => (
          <span key={key} style={{ width: `${(load[key] / most) * 100}%` }} className={swatch} />
        ))}
      </span>
      <span className="w-12 text-right tabular-nums">{all < 0.005 ? '< 0.01' : all.toFixed(2)}</span>
      <span className="sr-only">
        {waitLooks
          .filter(({ key }) => load[key] > 0)
          .map(({ key, label }) => `${label} ${load[key].toFixed(3)}`)
          .join(', ')}
      </span>
    </span>
  )
}

const totalLoad = ({ load }: DatabaseStatement) => load.cpu + load.io + load.lock + load.other
