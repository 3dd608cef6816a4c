import type { DatabaseStatement } from '@bey/contract'
import { deniedReason, engineFamily } from '@bey/contract'
import { useMemo, useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useDatabaseAdvice, useDatabaseStatements } from '../../../data/database-insight.ts'
import type { DatabaseStatements, StatementRange } from '../../../data/database-insight.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount, formatNumber, formatPercent } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { ListFoot } from '../../../ui/list-foot.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { sinceText } from '../../../ui/time-text.ts'
import { toast } from '../../../ui/toast.ts'
import { formatMs } from '../sql/result-text.ts'
import { SlowLog } from './slow-log.tsx'
import { StatementDetail } from './statement-detail.tsx'
import type { AdviceByStatement } from './statement-filter.ts'
import { adviceByStatement, issuerOptions, matchesFilter, noFilter, onlyOptions } from './statement-filter.ts'
import { StatementLead } from './statement-lead.tsx'
import { changeText, issuerText, slowerFrom, statementLine } from './statement-text.ts'

const ranges = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
] as const

/** Statements of a database by the time that they take, as pg_stat_statements counts them. */
export function StatementsTab({ database }: { database: Database }) {
  const { id } = database
  const family = engineFamily(database.engine)
  const noun = family === 'redis' ? 'command' : 'statement'
  const [range, setRange] = useState<StatementRange>('1h')
  const [filter, setFilter] = useState(noFilter)
  const [chosen, setChosen] = useState<string>()
  const denied = deniedReason(useRole(), 'databases.sessions')
  const stale = useStaleReason()
  const query = useDatabaseStatements(id, range, denied === undefined)
  const measure = useChange('databases.measureStatements')
  const { data } = query
  const isPostgres = family === 'postgres'
  const found = useDatabaseAdvice(id, denied === undefined && isPostgres)
  const advice = useMemo(() => adviceByStatement(found.data?.advice ?? []), [found.data])
  const rows = data?.statements.filter((statement) => matchesFilter(statement, filter, advice))
  const before = rangeName[range]
  const only = onlyOptions(before, isPostgres, isPostgres)
  const by = issuerOptions(data?.statements ?? [])
  const nameOf = (options: typeof only, value: string) => options.find((each) => each.value === value)?.label
  const filtered = [filter.text, nameOf(by, filter.by), nameOf(only, filter.only)].filter((part) => part)
  if (denied !== undefined)
    return <EmptyState title={`${capital(noun)}s are not shown to you`} description={denied} />
  const failure = failureOf('Failed to read the statements', query)
  const selected = rows?.find(({ queryId }) => queryId === chosen)
  return (
    <div className="flex flex-col">
      {data?.problem ? <Problem problem={data.problem} /> : null}
      {data ? (
        <StatementLead statements={data.statements} advice={advice} noun={noun} before={before} />
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-(--gutter) py-4">
        <h2 className="min-w-0 flex-1 basis-40 font-semibold">
          By load{' '}
          <span className="font-normal text-text-2">
            {data ? formatCount(data.statements.length, noun) : null}
          </span>
        </h2>
        <FilterInput
          label={`Filter ${noun}s`}
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
        />
        {by.length === 0 ? null : (
          <FilterSelect
            label="Issued by"
            all="All clients and users"
            value={filter.by}
            options={by}
            onChange={(value) => setFilter({ ...filter, by: value })}
            className="max-w-52"
          />
        )}
        <FilterSelect
          label="Narrow to"
          all={`All ${noun}s`}
          value={filter.only}
          options={only}
          onChange={(value) => setFilter({ ...filter, only: value })}
        />
        <Segmented label="Range" options={ranges} value={range} onChange={setRange} />
      </div>
      <Table
        label={`${capital(noun)}s`}
        columns={columnsOf(noun, range, advice, selected?.queryId, (queryId) =>
          setChosen(queryId === chosen ? undefined : queryId),
        ).filter(({ key }) => !absent[family].includes(key))}
        rows={rows}
        rowKey={({ queryId }) => queryId}
        rowLabel={({ text }) => statementLine(text).slice(0, 80)}
        isRefreshing={query.isFetching && query.isPlaceholderData}
        error={failure ? <ErrorState {...failure} /> : undefined}
        filter={
          filtered.length === 0
            ? undefined
            : { query: filtered.join(', '), onClear: () => setFilter(noFilter) }
        }
        expansion={{
          current: selected?.queryId,
          content: (statement) => (
            <StatementDetail
              key={statement.queryId}
              database={database}
              statement={statement}
              advice={advice.get(statement.queryId) ?? []}
            />
          ),
        }}
        empty={
          <EmptyState
            title={`No ${noun} in ${range === '7d' ? 'these 7 days' : `this ${before}`}.`}
            description={`${capital(noun)}s are counted every minute from the moment on at which Bey first looks.`}
          />
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-2 px-(--gutter) py-3">
        <p className="text-small text-text-3">
          {data?.measuredAt ? (
            <>
              Counted <RelativeTime at={data.measuredAt} />
            </>
          ) : (
            'Not counted yet'
          )}
          {data?.since ? ` · the server counts since ${sinceText(data.since)}` : ''} · values are left out
        </p>
        <Button
          size="small"
          busy={measure.isPending}
          disabledReason={stale}
          onClick={() =>
            measure.mutate(
              { params: { id } },
              {
                onSuccess: () => void query.refetch(),
                onError: (error) => toast('error', `The statements were not read: ${causeOf(error)}`),
              },
            )
          }
        >
          Measure now
        </Button>
      </div>
      <ListFoot
        count={data && formatCount(data.statements.length, noun)}
        keys={isPostgres ? keys : keys.slice(0, 2)}
      />
      {data?.slowest ? <SlowLog entries={data.slowest} /> : null}
    </div>
  )
}

/** Columns of what an engine does not count. */
const absent: Readonly<Record<ReturnType<typeof engineFamily>, readonly string[]>> = {
  postgres: [],
  mysql: ['issued', 'advice'],
  redis: ['issued', 'advice'],
}

const rangeName: Readonly<Record<StatementRange, string>> = { '1h': 'hour', '24h': 'day', '7d': '7 days' }

const keys = [
  { keys: ['j', 'k'], does: 'statements' },
  { keys: ['Enter'], does: 'open' },
  { keys: ['e'], does: 'explain' },
] as const

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function Problem({ problem: { text, lines } }: { problem: NonNullable<DatabaseStatements['problem']> }) {
  return (
    <div className="flex max-w-3xl flex-col gap-2 px-(--gutter) pt-4">
      <p className="font-medium">{text}</p>
      <CodeBlock label="What switches statements on" text={lines.join('\n')} />
    </div>
  )
}

function columnsOf(
  noun: string,
  range: StatementRange,
  advice: AdviceByStatement,
  selected: string | undefined,
  onChoose: (queryId: string) => void,
): Column<DatabaseStatement>[] {
  return [
    {
      key: 'statement',
      header: capital(noun),
      cell: ({ queryId, text }) => (
        <button
          type="button"
          data-row-target=""
          aria-expanded={queryId === selected}
          title={text.slice(0, 500)}
          onClick={() => onChoose(queryId)}
          className="block w-full truncate text-left font-mono text-small hover:underline"
        >
          {statementLine(text)}
        </button>
      ),
    },
    {
      key: 'trend',
      header: `Time, ${range === '1h' ? '1 h' : range === '24h' ? '24 h' : '7 d'}`,
      width: '8rem',
      cell: ({ trend, totalMs }) => <Sparkline values={trend} label={`${formatMs(totalMs)} in the range`} />,
    },
    {
      key: 'share',
      header: 'Share',
      width: '4.75rem',
      align: 'end',
      isExtra: true,
      cell: ({ share }) => formatPercent(share),
    },
    { key: 'calls', header: 'Calls', width: '5rem', align: 'end', cell: ({ calls }) => formatNumber(calls) },
    {
      key: 'mean',
      header: 'Mean',
      width: '5.5rem',
      align: 'end',
      isVital: true,
      cell: ({ meanMs, change }) => (
        <span className={cx((change ?? 0) >= slowerFrom && 'text-danger')}>
          {meanMs === null ? '—' : formatMs(meanMs)}
        </span>
      ),
    },
    {
      key: 'change',
      header: 'Change',
      width: '5.5rem',
      align: 'end',
      cell: ({ change }) => (
        <span className={cx((change ?? 0) >= slowerFrom && 'text-danger')}>{changeText(change)}</span>
      ),
    },
    { key: 'issued', header: 'Issued by', width: '9rem', cell: issuerText },
    {
      key: 'advice',
      header: 'Advice',
      width: '5.5rem',
      cell: ({ queryId }) => {
        const found = advice.get(queryId)
        if (found === undefined) return '—'
        return (
          <span className="font-medium text-text" title={found.map(({ title }) => title).join(', ')}>
            {formatCount(found.length, 'index', 'indexes')}
          </span>
        )
      },
    },
  ]
}
