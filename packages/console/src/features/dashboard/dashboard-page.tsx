import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useDashboard } from '../../data/analytics.ts'
import { useRole } from '../../data/session.ts'
import { AttentionTable } from '../../entities/health/attention-table.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Activity } from './activity.tsx'
import { CapacityPanel } from './capacity-panel.tsx'
import { ClusterRows } from './cluster-rows.tsx'
import { DashboardHead } from './dashboard-head.tsx'
import { FirstRun } from './first-run.tsx'
import { SinceYouLeft } from './since-you-left.tsx'
import { SpendCard } from './spend-card.tsx'
import { UseChart } from './use-chart.tsx'

/** How the organization is: the sentence, what needs attention, what is used over time, capacity, what ran last, and the clusters. */
export function DashboardPage() {
  const dashboard = useDashboard()
  const { data } = dashboard
  const failure = failureOf('Failed to fetch the figures', dashboard)
  const isFirstRun = data?.clusters.total === 0
  const hasTrouble = data !== undefined && data.attention.items.length > 0
  return (
    <>
      <DashboardHead
        summary={data?.summary}
        isPlain={(isFirstRun && !hasTrouble) || failure !== undefined}
        actions={
          isFirstRun ? null : (
            <span className="max-md:hidden">
              <CreateCluster isQuiet={data === undefined || hasTrouble} />
            </span>
          )
        }
      />
      {failure && <ErrorState {...failure} />}
      {isFirstRun && hasTrouble ? (
        <div className="max-w-4xl px-(--gutter) pt-6">
          <AttentionTable attention={data.attention} />
        </div>
      ) : null}
      {isFirstRun ? <FirstRun /> : null}
      {isFirstRun || failure ? null : (
        // A tree of its own once the figures are here: what takes the place of the skeletons does not push them.
        <div key={data ? 'figures' : 'waiting'} className="flex flex-col gap-8 px-(--gutter) pt-6 pb-10">
          <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,15fr)_minmax(0,8fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              {hasTrouble ? (
                <PanelBoundary panel="Needs attention">
                  <AttentionTable attention={data.attention} />
                </PanelBoundary>
              ) : null}
              <PanelBoundary panel="Use of allocatable">
                <UseChart figures={data} hasTrouble={hasTrouble} />
              </PanelBoundary>
            </div>
            <div className="flex min-w-0 flex-col gap-8">
              <PanelBoundary panel="Since you left">
                <SinceYouLeft hasFigures={data !== undefined} />
              </PanelBoundary>
              <PanelBoundary panel="Capacity">
                <CapacityPanel capacity={data?.capacity} />
              </PanelBoundary>
              <PanelBoundary panel="Spend">
                <SpendCard hasFigures={data !== undefined} />
              </PanelBoundary>
              <PanelBoundary panel="Activity">
                <Activity hasFigures={data !== undefined} />
              </PanelBoundary>
            </div>
          </div>
          <PanelBoundary panel="Clusters">
            <ClusterRows figures={data} />
          </PanelBoundary>
        </div>
      )}
    </>
  )
}

/** While something needs attention, or may do so, the accent does not compete with it. */
function CreateCluster({ isQuiet = false }: { isQuiet?: boolean }) {
  return (
    <ButtonLink
      variant={isQuiet ? 'secondary' : 'primary'}
      icon={<Plus size={14} aria-hidden />}
      href="/kubernetes/clusters/create"
      disabledReason={deniedReason(useRole(), 'clusters.create')}
    >
      Create cluster
    </ButtonLink>
  )
}
