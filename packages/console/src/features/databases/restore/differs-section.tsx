import { type DatabaseMoment, type SqlRelation, tableText } from '@bey/contract'
import { absent, formatCount, formatNumber } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { type ChangedTable, changedTables } from './changed-tables.ts'
import type { RestorePlace } from './restore-place.ts'

export interface DiffersSectionProps {
  statements: readonly DatabaseMoment[]
  /** Tables as they are now; undefined where they are not known. */
  relations: readonly SqlRelation[] | undefined
  atMs: number | undefined
  place: RestorePlace
}

/** What is known to differ before anything is restored. What is not known is not guessed: it says when it will be counted. */
export function DiffersSection({ statements, relations, atMs, place }: DiffersSectionProps) {
  const rows = atMs === undefined ? [] : changedTables(statements, relations, atMs)
  const tables = relations?.filter(({ kind }) => kind === 'table' || kind === 'partitioned table').length
  const others =
    tables === undefined ? undefined : tables - rows.filter(({ now }) => now !== undefined).length
  return (
    <Section title="2 What differs" aside="from statements through Bey; nothing was restored yet">
      {rows.length === 0 ? null : (
        <Table
          label="What differs"
          columns={columns}
          rows={rows}
          rowKey={({ name, schema }) => `${schema}.${name}`}
          empty={null}
        />
      )}
      <p className="mt-2 text-pretty text-text-2">
        {rows.length === 0
          ? 'No statement through Bey removed or rewrote data after this moment. What other clients wrote is not known before it is restored. '
          : place === 'table' || others === undefined || others <= 0
            ? ''
            : `${formatCount(others, 'other table')}: not known yet. `}
        {whenCounted[place]}
      </p>
    </Section>
  )
}

/** Rows then are not read out of the WAL. */
const whenCounted: Readonly<Record<RestorePlace, string>> = {
  new: 'Rows are counted in both on the page of the new database, once it is there.',
  swap: 'Rows are counted in both once it is restored, on the page of the copy and before anything is swapped.',
  table: 'Only the chosen table changes; its run says how many rows were copied.',
}

const columns: readonly Column<ChangedTable>[] = [
  {
    key: 'table',
    header: 'Table',
    isVital: true,
    cell: (table) => <span className="break-all">{tableText(table)}</span>,
  },
  {
    key: 'now',
    header: 'Now',
    align: 'end',
    width: '7rem',
    isVital: true,
    cell: ({ now, isGone }) =>
      isGone ? (
        <span className="text-danger">dropped</span>
      ) : now == null ? (
        absent
      ) : (
        `≈ ${formatNumber(Math.round(now))}`
      ),
  },
  {
    key: 'after',
    header: 'Since then',
    cell: ({ last, isGone, others }) =>
      isGone ? (
        <span className="font-medium text-text">back with all its rows</span>
      ) : (
        <>
          {last.text}
          {last.rows === null || last.rows === 0 ? '' : `, ${formatCount(last.rows, 'row')}`}
          {others === 0 ? '' : `, ${formatCount(others, 'more statement')}`}
        </>
      ),
  },
]
