import { deniedReason } from '@bey/contract'
import { ruleText } from '../../entities/alerts/alert-text.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Without an alert: ready ones for what is measured, each with how often it would have fired. */
export function NoAlertYet() {
  const query = useRead('alerts.suggestions', {})
  const create = useChange('alerts.create')
  const denied = deniedReason(useRole(), 'alerts.create')
  const stale = useStaleReason()
  const failure = failureOf('Failed to look for ready alerts', query)
  if (failure) return <ErrorState {...failure} />
  const ready = query.data?.suggestions ?? []
  const fired = ready.reduce((sum, { firedCount }) => sum + firedCount, 0)
  const refused = create.error ? errorText('The alert was not created', create.error) : undefined
  return (
    <div>
      <EmptyState
        title="No alerts yet"
        description={
          query.isPending
            ? 'Looking for what could be watched…'
            : ready.length === 0
              ? 'Nothing is measured yet. Create a cluster or a database, and ready alerts are listed here.'
              : firedText(ready.length, fired)
        }
        action={<ButtonLink href="/analytics/alerts/create">Write an alert</ButtonLink>}
      />
      {refused ? (
        <div className="px-(--gutter) pb-3">
          <Notice tone="danger" title={refused.title}>
            {refused.detail}
          </Notice>
        </div>
      ) : null}
      <ul
        aria-label="Ready alerts"
        className="mx-(--gutter) max-w-3xl divide-y divide-line border-y border-line empty:hidden"
      >
        {ready.map(({ key, firedCount, seriesCount, unit, ...rule }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-0 flex-1 basis-72">
              <span className="font-medium">{rule.name}</span>{' '}
              <span className="text-text-2">{ruleText({ ...rule, unit })}</span>
              <span className="block text-small text-text-2">{rule.description}</span>
            </span>
            <span className="text-small text-text-2 tabular-nums">
              {firedCount === 0 ? 'never' : formatCount(firedCount, 'time')} in 30 days,{' '}
              {formatCount(seriesCount, 'series', 'series')}
            </span>
            <Button
              size="small"
              busy={create.isPending && create.variables.body.name === rule.name}
              disabledReason={denied ?? stale}
              onClick={() => create.mutate({ body: rule })}
            >
              Switch on
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How often all ready alerts together would have fired. */
function firedText(count: number, fired: number): string {
  if (fired > 0)
    return `${count === 1 ? 'This one' : `These ${count}`} would have fired ${formatCount(fired, 'time')} in 30 days.`
  return count === 1
    ? 'This one would not have fired in 30 days.'
    : `None of these ${count} would have fired in 30 days.`
}
