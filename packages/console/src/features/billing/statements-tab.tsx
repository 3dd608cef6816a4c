import { type CallOutput, deniedReason, type StatementFormat } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadStatement, type Statement } from '../../data/billing.ts'
import { useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf, type Failure } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table-types.ts'
import { toast } from '../../ui/toast.ts'
import { dateText } from '../../ui/time-text.ts'
import { billingHref } from './billing-search.ts'
import { changeText, moneyText, monthText } from '../../entities/billing/money.ts'

interface StatementsTabProps {
  list: CallOutput<'statements.list'> | undefined
  failure: Failure | undefined
  /** Of the statement that is shown below the list. */
  number: number | undefined
}

/** Frozen months, each as files, with its corrections and its proof against the ledger. */
export function StatementsTab({ list, failure, number }: StatementsTabProps) {
  if (failure) return <ErrorState {...failure} />
  if (list === undefined) return <Skeleton className="mx-(--gutter) my-6 h-24" />
  if (list.statements.length === 0) {
    return (
      <EmptyState
        title="No statement yet"
        description={list.next.text}
        action={list.due.length > 0 ? <CloseButton due={list.due} /> : undefined}
      />
    )
  }
  return (
    <div className="flex flex-col gap-6 px-(--gutter) py-4">
      <p className="text-text-2">{list.next.text}</p>
      {list.due.length > 0 ? <CloseButton due={list.due} /> : null}
      <div className="overflow-hidden rounded-card border border-line">
        <Table
          label="Statements"
          columns={columns}
          rows={list.statements}
          rowKey={(row) => String(row.number)}
          rowLabel={(row) => `Statement ${row.number}`}
          rowHref={(row) => billingHref({ tab: 'statements', number: row.number })}
          empty={null}
        />
      </div>
      {number === undefined ? null : <OneStatement key={number} number={number} />}
    </div>
  )
}

/** Closes the newest month that is over, and those before it. */
function CloseButton({ due }: { due: readonly string[] }) {
  const navigate = useNavigate()
  const close = useChange('statements.close')
  const month = due.at(-1) ?? ''
  return (
    <div>
      <Button
        variant="primary"
        busy={close.isPending}
        disabledReason={deniedReason(useRole(), 'billing.manage')}
        onClick={() =>
          close.mutate(
            { body: { month } },
            {
              onSuccess: ({ number, text }) => {
                toast('success', text)
                void navigate({ href: billingHref({ tab: 'statements', number }) })
              },
              onError: (error) => toast('error', `Failed to close the month: ${causeOf(error)}`),
            },
          )
        }
      >
        Close {monthText(month)} {month.slice(0, 4)}
      </Button>
    </div>
  )
}

const columns: readonly Column<Statement>[] = [
  {
    key: 'number',
    header: 'Statement',
    cell: ({ number, month, isSeeded }) => (
      <span className="block">
        {number}{' '}
        <span className="font-normal text-text-2">
          {monthText(month)} {month.slice(0, 4)}
          {isSeeded ? ', seeded' : ''}
        </span>
      </span>
    ),
  },
  {
    key: 'total',
    header: 'Total',
    align: 'end',
    width: '18%',
    isVital: true,
    cell: ({ total, currency }) => (
      <span className="font-medium text-text">{moneyText(total, currency)}</span>
    ),
  },
  {
    key: 'corrections',
    header: 'Corrections',
    align: 'end',
    width: '18%',
    isExtra: true,
    cell: ({ corrections, correctionTotal, currency }) =>
      corrections.length === 0 ? '—' : changeText(correctionTotal, currency),
  },
  {
    key: 'lines',
    header: 'Lines',
    align: 'end',
    width: '12%',
    isExtra: true,
    cell: ({ lineCount }) => lineCount.toLocaleString('en'),
  },
  {
    key: 'frozen',
    header: 'Frozen',
    width: '16%',
    isExtra: true,
    cell: ({ frozenAt }) => dateText(new Date(frozenAt)),
  },
  {
    key: 'files',
    header: 'Files',
    width: '14rem',
    cell: ({ number, month }) => <Files number={number} month={month} />,
  },
]

function Files({ number, month }: { number: number; month: string }) {
  const [busy, setBusy] = useState<StatementFormat>()
  const download = (format: StatementFormat) => {
    setBusy(format)
    downloadStatement(number, month, format)
      .catch((error: unknown) => toast('error', `Failed to download the statement: ${causeOf(error)}`))
      .finally(() => setBusy(undefined))
  }
  return (
    <span className="flex gap-1.5">
      <Button
        size="small"
        icon={<Download size={14} aria-hidden />}
        busy={busy === 'pdf'}
        aria-label={`Statement ${number} as PDF`}
        onClick={() => download('pdf')}
      >
        PDF
      </Button>
      <Button
        size="small"
        busy={busy === 'csv'}
        aria-label={`Statement ${number} as CSV`}
        onClick={() => download('csv')}
      >
        CSV
      </Button>
      <Button
        size="small"
        busy={busy === 'focus'}
        aria-label={`Statement ${number} as FOCUS`}
        onClick={() => download('focus')}
      >
        FOCUS
      </Button>
    </span>
  )
}

function OneStatement({ number }: { number: number }) {
  const query = useRead('statements.get', { params: { number } })
  const failure = failureOf('Failed to fetch the statement', query)
  if (failure) return <ErrorState {...failure} isCompact />
  if (query.data === undefined) return <Skeleton className="h-24" />
  const { month, services, corrections, total, currency, proof, priceVersions, timeZone } = query.data
  return (
    <Section
      title={`Statement ${number}: ${monthText(month)} ${month.slice(0, 4)}`}
      aside={`${timeZone}, ${priceVersions.map((each) => (each === 0 ? 'example prices' : `prices of version ${each}`)).join(', ')}`}
    >
      <dl className="max-w-xl border-t border-line tabular-nums">
        {services.map(({ service, name, amount }) => (
          <Line key={service} name={name} amount={moneyText(amount, currency)} />
        ))}
        <Line name="Total" amount={moneyText(total, currency)} />
      </dl>
      {corrections.map(({ month: corrected, text }) => (
        <p key={corrected} className="mt-2 text-text-2">
          {text}
        </p>
      ))}
      <div className="mt-3 max-w-xl">
        <Notice tone={proof.isEqual ? 'info' : 'warn'} title={proof.text} />
      </div>
    </Section>
  )
}

function Line({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between gap-3 border-b border-line py-1.5">
      <dt>{name}</dt>
      <dd className="font-medium">{amount}</dd>
    </div>
  )
}
