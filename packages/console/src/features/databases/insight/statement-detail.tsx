import { type DatabaseAdvice, type DatabaseStatement, engineFamily } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { PlanView } from '../sql/plan-view.tsx'
import { formatMs } from '../sql/result-text.ts'
import { prepareStatement } from '../sql/sql-drafts.ts'
import { StatementAdvice } from './statement-advice.tsx'
import { changeText, planRefusal } from './statement-text.ts'

/** One statement: its text, its plan, what it did in the range, and who issues it. */
export function StatementDetail({
  database,
  statement,
  advice,
}: {
  database: Database
  statement: DatabaseStatement
  advice: readonly DatabaseAdvice[]
}) {
  const { id } = database
  const { text, isCut } = statement
  const explain = useChange('databases.explain')
  const stale = useStaleReason()
  const refusal = stale ?? planRefusal(statement)
  const plan = explain.data
  const ask = () => explain.mutate({ params: { id }, body: { statement: text, isGeneric: true } })
  const family = engineFamily(database.engine)
  usePageKeys(
    'Statement',
    family === 'postgres'
      ? [
          {
            keys: ['e'],
            does: 'Explain the statement',
            run: () => (refusal === undefined ? ask() : toast('error', refusal)),
          },
        ]
      : [],
  )
  return (
    <div className="grid items-start gap-x-8 gap-y-6 px-(--gutter) py-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Section
          title={family === 'redis' ? 'Command' : 'Statement'}
          aside={isCut ? 'the first 10,000 characters' : undefined}
        >
          <CodeBlock label="Text of the statement" text={text} maxHeight="14rem" />
        </Section>
        {family === 'postgres' ? (
          <Section
            title="Where the time goes"
            aside={
              <span className="flex flex-wrap gap-2">
                <Button size="small" disabledReason={refusal} busy={explain.isPending} onClick={ask}>
                  {plan === undefined ? 'Explain' : 'Explain again'}
                </Button>
                <ButtonLink
                  size="small"
                  href={databaseHref(id, 'sql')}
                  onClick={() => prepareStatement(id, text, false)}
                >
                  Open in SQL
                </ButtonLink>
              </span>
            }
          >
            {explain.isError ? (
              <p role="alert" className="text-danger">
                {causeOf(explain.error)}
              </p>
            ) : plan === undefined ? (
              <p className="text-text-2">
                Explain asks PostgreSQL how it executes the statement for any values of its parameters.
              </p>
            ) : plan.error === null ? (
              <div className="-mx-(--gutter)">
                <PlanView plan={plan} wasExecuted={false} />
              </div>
            ) : (
              <p role="alert" className="text-danger">
                {plan.error.message}
                {plan.error.hint === null ? '' : `. ${plan.error.hint}`}
              </p>
            )}
          </Section>
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <StatementAdvice databaseId={id} advice={advice} />
        <Section title="In this range" isCard>
          <StatementFacts statement={statement} family={family} />
        </Section>
      </div>
    </div>
  )
}

function StatementFacts({
  statement,
  family,
}: {
  statement: DatabaseStatement
  family: ReturnType<typeof engineFamily>
}) {
  const { calls, totalMs, meanMs, rows, ioMs, share, change, load, firstSeenAt, users, issuers } = statement
  return (
    <Facts
      facts={[
        { label: 'Calls', value: formatNumber(calls) },
        { label: 'Mean', value: meanMs === null ? '—' : formatMs(meanMs) },
        { label: 'Against the range before', value: changeText(change) },
        { label: 'Total time', value: `${formatMs(totalMs)}, ${formatPercent(share)} of all` },
        ...(family === 'redis'
          ? []
          : [
              {
                label: 'Rows a call',
                value: calls > 0 ? formatNumber(Number((rows / calls).toFixed(1))) : '—',
              },
            ]),
        { label: 'First seen', value: <RelativeTime at={firstSeenAt} /> },
        ...(family === 'postgres'
          ? [
              { label: 'Reading and writing', value: formatMs(ioMs) },
              { label: 'Seen at it', value: loadText(load) },
              { label: 'Users', value: users.join(', ') || '—' },
              {
                label: 'Issued by',
                value:
                  issuers.length === 0 ? 'not seen at work yet' : issuers.map(({ name }) => name).join(', '),
              },
            ]
          : []),
      ]}
    />
  )
}

/** "0.8 sessions: CPU 0.3, lock 0.5". */
function loadText(load: DatabaseStatement['load']): string {
  const labels = { cpu: 'CPU', io: 'IO', lock: 'lock', other: 'other' } as const
  const all = load.cpu + load.io + load.lock + load.other
  if (all === 0) return 'never, once a second'
  const parts = (['cpu', 'io', 'lock', 'other'] as const).filter((wait) => load[wait] > 0)
  return `${round(all)} sessions: ${parts.map((wait) => `${labels[wait]} ${round(load[wait])}`).join(', ')}`
}

const round = (value: number) => (value < 0.005 ? '< 0.01' : value.toFixed(2))
