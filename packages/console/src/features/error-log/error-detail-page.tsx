import type { ErrorGroup } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { useErrorOccurrence } from '../../data/error-log.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { CopyReport } from './copy-report.tsx'
import { kindLabels, statusOf } from './error-text.ts'
import { OccurrenceList } from './occurrence-list.tsx'
import { OccurrenceView } from './occurrence-view.tsx'
import { TrendSection } from './trend-section.tsx'
import { useErrorLocation } from './use-error-location.ts'
import { useErrorStatus } from './use-error-status.ts'
import { actorText } from '@bey/contract'

/** One error: how often and to whom it happened, and one occurrence in full. */
export function ErrorDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const errorLocation = useErrorLocation()
  const query = useList('errors.get', { params: { id }, query: { period: errorLocation.period } })
  const occurrenceId = errorLocation.occurrenceId ?? query.data?.latestOccurrenceId ?? undefined
  const occurrence = useErrorOccurrence(id, occurrenceId)
  return (
    <DetailPage
      noun="error"
      subject={query.data}
      title={query.data && <span className="line-clamp-3">{query.data.group.message}</span>}
      badges={({ group }) => <Status status={statusOf(group)} variant="badge" />}
      subtitle={({ group }) => <Origin group={group} />}
      actions={({ group }) => <Actions group={group} occurrence={occurrence.data?.occurrence} />}
      content={({ group, releases }) => (
        <div className="flex flex-col gap-8 px-(--gutter) py-5">
          <GroupFacts group={group} />
          <TrendSection group={group} releases={releases} errorLocation={errorLocation} />
          {occurrenceId === undefined ? (
            <p className="text-text-2">
              No occurrence is kept: too many errors came at once, so this one was only counted.
            </p>
          ) : (
            <OccurrenceView query={occurrence} />
          )}
          {/* Once the occurrence above it has its height. */}
          {occurrence.isPending && occurrenceId !== undefined ? null : (
            <OccurrenceList id={id} shownId={occurrenceId} errorLocation={errorLocation} />
          )}
        </div>
      )}
      missing={
        isMissing(query) && {
          title: 'This error does not exist',
          description:
            'It belongs to another organization, or it was deleted because it had not occurred for a long time.',
          action: <ButtonLink href="/errors">All errors</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the error', query)}
    />
  )
}

function Origin({ group }: { group: ErrorGroup }) {
  return (
    <>
      {group.culprit ? <code className="font-mono text-small">{group.culprit}</code> : 'Unknown source'}
      {' · '}
      {kindLabels[group.kind]}
    </>
  )
}

function Actions({
  group,
  occurrence,
}: {
  group: ErrorGroup
  occurrence: NonNullable<ReturnType<typeof useErrorOccurrence>['data']>['occurrence'] | undefined
}) {
  const { set, isPending, disabledReason } = useErrorStatus()
  const shared = { disabledReason, busy: isPending }
  return (
    <>
      <CopyReport group={group} occurrence={occurrence} />
      {group.status === 'ignored' ? null : (
        <Button {...shared} onClick={() => void set([group], 'ignored')}>
          Ignore
        </Button>
      )}
      {group.status === 'open' ? (
        <Button {...shared} variant="primary" onClick={() => void set([group], 'resolved')}>
          Resolve
        </Button>
      ) : (
        <Button {...shared} onClick={() => void set([group], 'open')}>
          Reopen
        </Button>
      )}
    </>
  )
}

function GroupFacts({ group }: { group: ErrorGroup }) {
  const { statusChangedAt, statusChangedBy, regressedAt } = group
  const by = statusChangedBy ? ` by ${actorText(statusChangedBy)}` : ''
  return (
    <Facts
      layout="columns"
      facts={[
        { label: 'Events', value: formatNumber(group.occurrenceCount) },
        { label: 'People', value: formatNumber(group.userCount) },
        { label: 'First seen', value: <RelativeTime at={group.firstSeenAt} /> },
        { label: 'Last seen', value: <RelativeTime at={group.lastSeenAt} /> },
        { label: 'First release', value: <code className="font-mono text-small">{group.firstRelease}</code> },
        { label: 'Last release', value: <code className="font-mono text-small">{group.lastRelease}</code> },
        ...(regressedAt
          ? [{ label: 'Reopened after it was resolved', value: <RelativeTime at={regressedAt} /> }]
          : []),
        ...(statusChangedAt && statusChangedBy
          ? [
              {
                label: group.status === 'open' ? 'Opened again' : `Marked ${group.status}`,
                value: (
                  <>
                    <RelativeTime at={statusChangedAt} />
                    {by}
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}
