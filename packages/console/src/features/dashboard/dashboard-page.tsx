import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useDashboard } from '../../data/analytics.ts'
import { useRole } from '../../data/session.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Attention } from './attention.tsx'
import { CapacityPanel } from './capacity-panel.tsx'
import { ClusterFigures } from './cluster-figures.tsx'
import { DashboardStats } from './dashboard-stats.tsx'
import { FirstRun } from './first-run.tsx'
import { RecentRuns } from './recent-runs.tsx'

/** The figures of the organization, what needs attention, and what ran last. */
export function DashboardPage() {
  const dashboard = useDashboard()
  const { data } = dashboard
  const failure = failureOf('Failed to fetch the figures', dashboard)
  const isFirstRun = data?.clusters.total === 0
  return (
    <>
      <PageHeader
        title="Dashboard"
        description="View your cloud resources and analytics"
        actions={isFirstRun ? null : <CreateCluster />}
      />
      {failure && <ErrorState {...failure} />}
      {isFirstRun ? <FirstRun action={<CreateCluster />} /> : null}
      {isFirstRun || failure ? null : (
        <>
          <PanelBoundary panel="Figures">
            <DashboardStats figures={data} />
          </PanelBoundary>
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
              <PanelBoundary panel="Clusters">
                <ClusterFigures rows={data?.clusterRows} />
              </PanelBoundary>
              <PanelBoundary panel="Recent runs">
                <RecentRuns />
              </PanelBoundary>
            </div>
            <div className="flex min-w-0 flex-col gap-8">
              <PanelBoundary panel="Needs attention">
                <Attention figures={data} />
              </PanelBoundary>
              <PanelBoundary panel="Capacity">
                <CapacityPanel capacity={data?.capacity} asOf={data?.asOf} />
              </PanelBoundary>
            </div>
          </div>
        </>
      )}
    </>
  )
}

function CreateCluster() {
  return (
    <ButtonLink
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      href="/kubernetes/clusters/create"
      disabledReason={deniedReason(useRole(), 'clusters.create')}
    >
      Create cluster
    </ButtonLink>
  )
}
