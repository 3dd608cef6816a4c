import { type DatabaseSwapComparison, deniedReason } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { absent, formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockTime, momentText } from '../../../ui/time-text.ts'
import {
  clientEffectText,
  countText,
  effectOf,
  splitTables,
  tableEffectText,
  tableName,
  tablesThatDiffer,
} from './swap-effects.ts'

type Source = NonNullable<Database['restoredFrom']>
type TableRow = DatabaseSwapComparison['tables'][number]
type ClientRow = DatabaseSwapComparison['clients'][number]

/** What a copy would change in the place of its source, counted when it is opened: shared by page and dialog. */
export function useSwapComparison(copy: Pick<Database, 'id'>, source: Pick<Source, 'id'>) {
  const isAllowed = deniedReason(useRole(), 'databases.restore') === undefined
  const input = { params: { id: source.id }, query: { withDatabaseId: copy.id } }
  return useRead('databases.swaps.compare', input, { isEnabled: isAllowed, isOnDemand: true })
}

/** Rows then and now per table, and what a swap does to each client, before the copy takes the place of its source. */
export function SwapComparison({ copy, source }: { copy: Database; source: Source }) {
  const comparison = useSwapComparison(copy, source)
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.restore')
  if (denied !== undefined) return null
  const failure = failureOf(`Failed to compare ${copy.name} with ${source.name}`, comparison)
  const { data } = comparison
  const split = data && splitTables(data.tables)
  return (
    <div className="grid items-start gap-x-8 gap-y-6 border-b border-line px-(--gutter) pt-2 pb-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Section
        title={`What differs from ${source.name}`}
        aside={
          <span className="flex flex-wrap items-center gap-2">
            {data ? <span>counted in both at {clockTime(new Date(data.at))}</span> : null}
            <Button
              size="small"
              busy={comparison.isFetching}
              disabledReason={stale}
              onClick={() => void comparison.refetch()}
            >
              Count again
            </Button>
          </span>
        }
      >
        {failure ? (
          <ErrorState {...failure} />
        ) : (
          <>
            <p className="mb-2 text-pretty" aria-live="polite">
              {data ? `${tablesThatDiffer(data).join('. ')}.` : `The rows of both are being counted.`}
            </p>
            <Table
              label={`Rows of ${copy.name} and ${source.name}`}
              columns={tableColumns(momentText(source.at))}
              rows={split?.differing}
              rowKey={({ schema, name }) => `${schema}.${name}`}
              skeletonRows={3}
              empty={
                <EmptyState
                  title="No table differs in its number of rows"
                  description="Rows that were changed in place are not seen by a count."
                />
              }
            />
            <p className="mt-2 text-small text-text-3">
              {[
                split === undefined || split.sameCount === 0
                  ? ''
                  : `${formatCount(split.sameCount, 'other table')} with as many rows in both.`,
                split?.differing.length === 0
                  ? ''
                  : 'Rows that were changed in place are not seen by a count.',
                data?.tables.some((table) => table.copy?.isEstimate || table.source?.isEstimate)
                  ? '≈ is the estimate of the planner, where counting took too long.'
                  : '',
              ]
                .filter(Boolean)
                .join(' ')}
            </p>
          </>
        )}
      </Section>
      {failure ? null : (
        <Section title="Who is affected" aside={data ? formatCount(data.connections, 'connection') : null}>
          <Table
            label={`Connections to ${source.name}`}
            columns={clientColumns}
            rows={data?.clients}
            rowKey={({ client, username }) => JSON.stringify([client, username])}
            skeletonRows={2}
            empty={
              <EmptyState
                title="No one is connected"
                description={`A swap ends no connection to ${source.name} now.`}
              />
            }
          />
        </Section>
      )}
    </div>
  )
}

/** `moment`: of which the copy is, in words. */
const tableColumns = (moment: string): readonly Column<TableRow>[] => [
  {
    key: 'table',
    header: 'Table',
    cell: (row) => <span className="truncate font-medium">{tableName(row)}</span>,
  },
  {
    key: 'copy',
    header: 'Then',
    align: 'end',
    width: '7rem',
    cell: ({ copy }) =>
      copy === null ? absent : <span data-tooltip={`As of ${moment}`}>{countText(copy)}</span>,
  },
  {
    key: 'source',
    header: 'Now',
    align: 'end',
    width: '7rem',
    cell: ({ source }) =>
      source === null ? <span className="text-danger">dropped</span> : countText(source),
  },
  {
    key: 'effect',
    header: 'After the swap',
    width: '11rem',
    isVital: true,
    cell: (row) => <span className={effectLooks[effectOf(row)]}>{tableEffectText(row)}</span>,
  },
]

const effectLooks: Readonly<Record<ReturnType<typeof effectOf>, string>> = {
  back: 'font-medium',
  left: 'text-warn',
  fewer: 'text-warn',
  more: '',
  same: 'text-text-2',
  unknown: 'text-text-2',
}

const clientColumns: readonly Column<ClientRow>[] = [
  {
    key: 'client',
    header: 'Client',
    width: '9rem',
    cell: ({ client, username }) => (
      <span className="truncate" data-tooltip={username === null ? undefined : `As ${username}`}>
        {client}
      </span>
    ),
  },
  {
    key: 'effect',
    header: 'What the swap does',
    cell: (row) => (
      <span className={row.idleInTransaction + row.withChanges > 0 ? 'text-warn' : undefined}>
        {clientEffectText(row)}
      </span>
    ),
  },
]
