import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useDashboard } from '../../data/analytics.ts'
import { useRole } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Attention } from './attention.tsx'
import { CapacityPanel } from './capacity-panel.tsx'
import { ClusterFigures } from './cluster-figures.tsx'
import { DashboardStats } from './dashboard-stats.tsx'
import { FirstRun } from './first-run.tsx'
import { RecentRuns } from './recent-runs.tsx'

/** The figures of the organization, what needs attention, and what ran last. */
export function DashboardPage() {
  const { data, error, refetch, isFetching } = useDashboard()
  const isFirstRun = data?.clusters.total === 0
  return (
    <>
      <PageHeader
        title="Dashboard"
        description="View your cloud resources and analytics"
        actions={isFirstRun ? null : <CreateCluster />}
      />
      {error && !data ? (
        <ErrorState
          {...errorText('Failed to fetch the figures', error)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : null}
      {isFirstRun ? <FirstRun action={<CreateCluster />} /> : null}
      {isFirstRun || (error && !data) ? null : (
        <>
          <DashboardStats figures={data} />
          <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 xl:grid-cols-[minmax(0,5fr)_minmax(20rem,2fr)]">
            <div className="flex min-w-0 flex-col gap-8">
              {data && data.unreachableClusters.length > 0 ? (
                <Notice
                  tone="warn"
                  title={
                    data.unreachableClusters.length === 1
                      ? 'One cluster could not be read; the figures leave it out'
                      : `${data.unreachableClusters.length} clusters could not be read; the figures leave them out`
                  }
                >
                  <ul>
                    {data.unreachableClusters.map((cluster) => (
                      <li key={cluster.id}>
                        <span className="font-medium text-text">{cluster.title}</span>: {cluster.reason}
                      </li>
                    ))}
                  </ul>
                </Notice>
              ) : null}
              <ClusterFigures rows={data?.clusterRows} />
              <RecentRuns />
            </div>
            <div className="flex min-w-0 flex-col gap-8">
              <Attention figures={data} />
              <CapacityPanel capacity={data?.capacity} asOf={data?.asOf} />
            </div>
          </div>
        </>
      )}
    </>
  )
}

function CreateCluster() {
  const reason = deniedReason(useRole(), 'clusters.create')
  const icon = <Plus size={14} aria-hidden />
  if (reason) {
    return (
      <Button variant="primary" icon={icon} disabledReason={reason}>
        Create cluster
      </Button>
    )
  }
  return (
    <ButtonLink variant="primary" icon={icon} href="/kubernetes/clusters/create">
      Create cluster
    </ButtonLink>
  )
}
