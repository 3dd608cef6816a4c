import { deniedReason, type DatabaseSwap, type LeftTable } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { errorText } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { absent, formatCount, formatNumber } from '../../../lib/format.ts'
import { runHref } from '../../../lib/run-text.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockTime } from '../../../ui/time-text.ts'
import { canBeCopied, copyEffects, differingText, reasonTexts } from './left-rows-text.ts'
import { tableName } from './swap-effects.ts'

const keyOf = ({ schema, name }: Pick<LeftTable, 'schema' | 'name'>) => JSON.stringify([schema, name])

/** What a swap left behind in the old database, table by table, and the copy of what is chosen. */
export function LeftRows({ database, old }: { database: Database; old: DatabaseSwap['oldDatabase'] }) {
  const role = useRole()
  const stale = useStaleReason()
  const denied = deniedReason(role, 'databases.restore')
  const input = { params: { id: database.id } }
  const isReady = denied === undefined && database.status === 'available'
  const found = useRead('databases.swaps.leftRows', input, { isEnabled: isReady, isOnDemand: true })
  const [unchosen, setUnchosen] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  if (denied !== undefined) return null
  const failure = failureOf(`Failed to compare ${database.name} with ${old.name}`, found)
  const { data } = found
  const offered = data?.tables.filter(canBeCopied) ?? []
  const chosen = offered.filter((table) => !unchosen.has(keyOf(table)))
  const rows = chosen.reduce((sum, { left }) => sum + (left ?? 0), 0)
  return (
    <div className="border-b border-line px-(--gutter) pt-2 pb-6">
      <Section
        title="Rows left behind"
        aside={
          <span className="flex flex-wrap items-center gap-2">
            {data ? <span>compared at {clockTime(new Date(data.at))}</span> : null}
            <Button
              size="small"
              busy={found.isFetching}
              disabledReason={stale}
              onClick={() => void found.refetch()}
            >
              Compare again
            </Button>
            <Button
              size="small"
              variant="primary"
              disabledReason={stale ?? (rows === 0 ? 'No row is chosen.' : undefined)}
              onClick={() => setAsking(true)}
            >
              {rows === 0 ? 'Copy rows…' : `Copy ${formatCount(rows, 'row')}…`}
            </Button>
          </span>
        }
      >
        {failure ? (
          <ErrorState {...failure} isCompact />
        ) : (
          <>
            <p className="mb-2 text-pretty" aria-live="polite">
              {data === undefined
                ? `Rows of ${old.name} are being compared with those here.`
                : sentence(data.tables, old.name)}
            </p>
            <Table
              label="Rows left behind"
              columns={columns}
              rows={data?.tables}
              rowKey={keyOf}
              rowLabel={tableName}
              skeletonRows={3}
              selection={{
                selected: new Set(chosen.map(keyOf)),
                onChange: (selected) =>
                  setUnchosen(new Set(offered.map(keyOf).filter((key) => !selected.has(key)))),
              }}
              empty={
                <EmptyState
                  title={
                    data?.tablesLeftOut
                      ? 'Nothing was left behind in these tables'
                      : 'Nothing was left behind'
                  }
                  description={`Every row of ${data?.tablesLeftOut ? 'the tables that were compared' : old.name} is here, with the same values.`}
                />
              }
            />
            <p className="mt-2 text-small text-text-3">
              {[
                data && data.same > 0 ? `${formatCount(data.same, 'table')} without a difference.` : '',
                data && data.tablesLeftOut > 0
                  ? `${formatCount(data.tablesLeftOut, 'more table')} not compared.`
                  : '',
                'Rows are compared by their primary keys. A row that was deleted here after the swap counts as left behind.',
              ]
                .filter(Boolean)
                .join(' ')}
            </p>
          </>
        )}
      </Section>
      {isAsking ? (
        <CopyDialog database={database} old={old} tables={chosen} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  )
}

function sentence(tables: readonly LeftTable[], old: string): string {
  const offered = tables.filter(canBeCopied)
  const rows = offered.reduce((sum, { left }) => sum + (left ?? 0), 0)
  return rows === 0
    ? `No row that can be copied is in ${old} alone.`
    : `${formatCount(rows, 'row')} of ${formatCount(offered.length, 'table')} ${rows === 1 ? 'is' : 'are'} in ${old} alone.`
}

const columns: readonly Column<LeftTable>[] = [
  {
    key: 'table',
    header: 'Table',
    width: '28%',
    cell: (table) => <span className="truncate font-medium">{tableName(table)}</span>,
  },
  {
    key: 'left',
    header: 'Left behind',
    align: 'end',
    width: '7rem',
    isVital: true,
    cell: ({ left }) =>
      left === null ? (
        absent
      ) : (
        <span className={left > 0 ? 'text-warn' : undefined}>{formatNumber(left)}</span>
      ),
  },
  {
    key: 'rest',
    header: 'What a copy does',
    cell: (table) => {
      const text =
        table.reason !== null
          ? reasonTexts[table.reason]
          : [
              canBeCopied(table) ? 'Copied by key' : '',
              table.triggers > 0 && canBeCopied(table)
                ? `${formatCount(table.triggers, 'trigger')} fire`
                : '',
              differingText(table),
            ]
              .filter(Boolean)
              .join('; ')
      return (
        <span className="truncate text-text-2" title={text}>
          {text}
        </span>
      )
    },
  },
]

function CopyDialog({
  database,
  old,
  tables,
  onClose,
}: {
  database: Database
  old: DatabaseSwap['oldDatabase']
  tables: readonly LeftTable[]
  onClose: () => void
}) {
  const copy = useChange('databases.swaps.copyRows')
  const navigate = useNavigate()
  const failure = copy.error ? errorText('Failed to copy the rows', copy.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Copy rows into ${database.name}?`}
      name={database.name}
      impactTitle="What will happen:"
      impact={copyEffects(tables, old.name)}
      action="Copy rows"
      busy={copy.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        copy.mutate(
          {
            params: { id: database.id },
            body: { tables: tables.map(({ schema, name }) => ({ schema, name })) },
          },
          { onSuccess: (run) => void navigate({ href: runHref(run) }) },
        )
      }
    />
  )
}
