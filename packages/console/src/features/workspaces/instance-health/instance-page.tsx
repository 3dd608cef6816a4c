import type { InstanceHealth } from '@bey/contract'
import { useInstanceHealth } from '../../../data/instance.ts'
import { codeOf, errorText } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { InstanceTabs } from '../instance-tabs.tsx'
import { HealthOverview } from './health-overview.tsx'
import { firstLimitSentence, healthTitle, newestBackup } from './health-sentences.ts'

/** How this server is, for the people who operate it. */
export function InstancePage() {
  const health = useInstanceHealth()
  const { data, error } = health
  return (
    <>
      <PageHeader
        title={data ? <Title health={data} /> : error ? 'Instance' : undefined}
        description={data ? <Sentence health={data} /> : ' '}
        actions={data ? <Button onClick={() => void health.refetch()}>Run doctor</Button> : undefined}
      >
        <InstanceTabs current="overview" />
      </PageHeader>
      {data && error ? (
        <div className="px-(--gutter) pt-4">
          <Notice tone="warn" title="The server could not be asked again: what is shown is old.">
            {errorText('', error).detail}
          </Notice>
        </div>
      ) : null}
      {data ? (
        <HealthOverview health={data} />
      ) : codeOf(error) === 'forbidden' ? (
        <EmptyState
          title="This page belongs to the operator"
          description="An owner of the first organization of this server sees how it is."
        />
      ) : error ? (
        <ErrorState
          {...errorText('The state of this server could not be loaded', error)}
          onRetry={() => void health.refetch()}
        />
      ) : (
        <DelayedSkeleton>
          <div className="flex flex-col gap-8 px-(--gutter) py-6">
            <Skeleton className="h-28" />
            <Skeleton className="h-64" />
          </div>
        </DelayedSkeleton>
      )}
    </>
  )
}

function Title({ health }: { health: InstanceHealth }) {
  const isFailed = health.checks.some(({ status }) => status === 'failed')
  return (
    <span className="flex items-center gap-2.5">
      <span className={cx(health.isHealthy ? 'text-ok' : isFailed ? 'text-danger' : 'text-warn')}>
        <StatusMark glyph={health.isHealthy ? 'dot' : 'triangle'} />
      </span>
      {healthTitle(health)}
    </span>
  )
}

function Sentence({ health }: { health: InstanceHealth }) {
  const newest = newestBackup(health.backups.entries)
  return (
    <>
      {firstLimitSentence(health.limits)}{' '}
      {!health.database.isEmbedded ? null : newest === undefined ? (
        'Never backed up.'
      ) : (
        <>
          Backed up <RelativeTime at={newest.finishedAt} />
          {newest.drill?.outcome === 'proved' ? ', and proved.' : '.'}
        </>
      )}
    </>
  )
}
