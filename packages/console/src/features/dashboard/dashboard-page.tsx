import type { Dashboard } from '@bey/contract'
import { defaultCards, deniedReason } from '@bey/contract'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { useDashboard } from '../../data/analytics.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { AttentionList } from '../../entities/health/attention-list.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { CardGrid } from './card-grid.tsx'
import { ClusterMap } from './cluster-map.tsx'
import { DashboardHead } from './dashboard-head.tsx'
import { FirstRun } from './first-run.tsx'
import { LayoutEditor } from './layout-editor.tsx'
import { useSince } from './since-you-left.tsx'

/** How the organization is: the sentence, and the cards as the reader, or the organization, arranged them. */
export function DashboardPage() {
  const dashboard = useDashboard()
  const { data } = dashboard
  const layout = useRead('analytics.layout', {}, { isEnabled: data !== undefined }).data
  const hasHappened = useSince(data !== undefined) !== undefined
  const [isArranging, setArranging] = useState(false)
  const failure = failureOf('Failed to fetch the figures', dashboard)
  const isFirstRun = data?.clusters.total === 0
  const readsSpend = deniedReason(useRole(), 'billing.readAll') === undefined
  const hasTrouble = data !== undefined && data.attention.items.length > 0
  if (isArranging && layout) return <LayoutEditor layout={layout} onClose={() => setArranging(false)} />
  return (
    <>
      <DashboardHead
        summary={data?.summary}
        clusterId={data && firstTroubled(data)}
        isPlain={(isFirstRun && !hasTrouble) || failure !== undefined}
        actions={
          isFirstRun ? null : (
            <span className="flex gap-2 max-md:hidden">
              <Button
                variant="ghost"
                icon={<LayoutDashboard size={14} aria-hidden />}
                disabledReason={layout ? undefined : 'The dashboard is being read.'}
                onClick={() => setArranging(true)}
              >
                Edit layout
              </Button>
              <CreateCluster isQuiet={data === undefined || hasTrouble} />
            </span>
          )
        }
      />
      {failure && <ErrorState {...failure} />}
      {isFirstRun && hasTrouble ? (
        <div className="max-w-4xl px-(--gutter) pt-6">
          <AttentionList attention={data.attention} />
        </div>
      ) : null}
      {isFirstRun ? <FirstRun /> : null}
      {isFirstRun || failure ? null : (
        // A tree of its own once the figures are here: what takes the place of the skeletons does not push them.
        <div key={data ? 'figures' : 'waiting'} className="flex flex-col gap-6 px-(--gutter) pt-5 pb-10">
          <ClusterMap figures={data} />
          <CardGrid
            cards={layout?.cards ?? defaultCards}
            view={{ figures: data, hasTrouble, hasHappened, readsSpend }}
          />
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

/** The cluster of what has been in trouble for longest; undefined where that is in none, or nothing is wrong. */
function firstTroubled({ summary, attention }: Dashboard): number | undefined {
  if (summary.since === null || summary.state === 'healthy') return undefined
  return attention.items.find(({ health }) => health.since === summary.since)?.cluster?.id
}
