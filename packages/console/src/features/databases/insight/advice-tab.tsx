import type { DatabaseAdvice } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useDatabaseAdvice } from '../../../data/database-insight.ts'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { AdviceCard } from './advice-card.tsx'

const groups = [
  ['open', 'What to do'],
  ['dismissed', 'Dismissed'],
  ['done', 'Done, and measured again'],
] as const

/** What would make a database quicker or safer, each with its figures and the statement that mends it. */
export function AdviceTab({ database }: { database: Database }) {
  const { id } = database
  const denied = deniedReason(useRole(), 'databases.sessions')
  const stale = useStaleReason()
  const query = useDatabaseAdvice(id, denied === undefined)
  const check = useChange('databases.checkAdvice')
  const [dismissing, setDismissing] = useState<string>()
  if (denied !== undefined) return <EmptyState title="Advice is not shown to you" description={denied} />
  const failure = failureOf('Failed to read the advice', query)
  if (failure) return <ErrorState {...failure} />
  const { data } = query
  const of = (state: DatabaseAdvice['state']) => data?.advice.filter((each) => each.state === state) ?? []
  return (
    <div className="flex max-w-4xl flex-col gap-6 px-(--gutter) py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-text-2">
          {data?.checkedAt ? (
            <>
              {formatCount(of('open').length, 'piece')} of advice · checked{' '}
              <RelativeTime at={data.checkedAt} />
            </>
          ) : (
            'Checked every 15 min while the server answers.'
          )}
        </p>
        <Button
          size="small"
          busy={check.isPending}
          disabledReason={stale}
          onClick={() =>
            check.mutate(
              { params: { id } },
              {
                onSuccess: () => void query.refetch(),
                onError: (error) => toast('error', `The advice was not checked: ${causeOf(error)}`),
              },
            )
          }
        >
          Check now
        </Button>
      </div>
      {data === undefined ? (
        <Skeleton className="h-40" />
      ) : data.advice.length === 0 ? (
        <EmptyState
          title="No advice"
          description="Nothing was found that would make the database quicker or safer: indexes, tables, sequences, settings and the plans of the slowest statements were checked."
        />
      ) : (
        groups.map(([state, title]) =>
          of(state).length === 0 ? null : (
            <Section key={state} title={title} aside={of(state).length}>
              <ul className="flex flex-col gap-3">
                {of(state).map((advice) => (
                  <AdviceCard
                    key={advice.key}
                    databaseId={id}
                    advice={advice}
                    onChange={() => void query.refetch()}
                    isDismissing={dismissing === advice.key}
                    onDismissing={(isOpen) => setDismissing(isOpen ? advice.key : undefined)}
                  />
                ))}
              </ul>
            </Section>
          ),
        )
      )}
    </div>
  )
}
