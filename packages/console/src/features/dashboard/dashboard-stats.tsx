import type { Dashboard } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { Stat, StatBand } from '../../ui/stat.tsx'
import { objectsHref, partsText, successText } from './figure-text.ts'

/** The four figures of the organization; each leads to the list behind it. */
export function DashboardStats({ figures }: { figures: Dashboard | undefined }) {
  const ids = figures?.clusterRows.map((row) => row.id) ?? []
  const notReady = figures ? figures.nodes.total - figures.nodes.ready : 0
  return (
    <StatBand>
      <Stat
        label="Clusters"
        value={figures ? formatNumber(figures.clusters.total) : undefined}
        detail={figures ? partsText(figures.clusters.byStatus) : null}
        href="/kubernetes/clusters"
      />
      <Stat
        label="Nodes"
        value={figures ? formatNumber(figures.nodes.total) : undefined}
        detail={figures ? nodesText(figures.nodes.total, notReady) : null}
        href={objectsHref(ids, 'nodes')}
      />
      <Stat
        label="Pods"
        value={figures ? formatNumber(figures.pods.total) : undefined}
        detail={figures ? partsText(figures.pods.byPhase) : null}
        href={objectsHref(ids, 'pods')}
      />
      <Stat
        label="Runs, 24 h"
        value={figures ? formatNumber(figures.runs24h.total) : undefined}
        detail={figures ? runsText(figures.runs24h.byStatus) : null}
        href="/workflows/runs"
      />
    </StatBand>
  )
}

function nodesText(total: number, notReady: number): string {
  if (total === 0) return ''
  return notReady === 0 ? 'all ready' : `${formatNumber(notReady)} not ready`
}

function runsText(byStatus: Readonly<Record<string, number>>): string {
  const { completed: _, ...rest } = byStatus
  return [successText(byStatus), partsText(rest)].filter(Boolean).join(', ')
}
