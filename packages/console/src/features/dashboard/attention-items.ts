import type { Cluster, Dashboard, Run } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { runHref } from '../../lib/run-text.ts'

export interface AttentionItem {
  key: string
  status: string
  /** Instead of the status's own word. */
  word?: string
  name: string
  cause?: string
  /** Where, if there is no time. */
  place?: string
  at?: string
  href: string
}

export interface AttentionFacts {
  figures: Dashboard | undefined
  clusters: readonly Cluster[]
  runs: readonly Run[]
}

/** What is wrong, the gravest first: clusters in error, clusters that do not answer, failing pods, failed runs. */
export function attentionItems({ figures, clusters, runs }: AttentionFacts): AttentionItem[] {
  const inError = clusters.map((cluster) => ({
    key: `cluster-${cluster.id}`,
    status: 'error',
    name: cluster.title,
    ...(cluster.error ? { cause: cluster.error } : {}),
    at: cluster.updatedAt,
    href: `/kubernetes/clusters/${cluster.id}`,
  }))
  const unreachable = (figures?.unreachableClusters ?? []).map((cluster) => ({
    key: `unreachable-${cluster.id}`,
    status: 'unreachable',
    name: cluster.title,
    cause: cluster.reason,
    href: `/kubernetes/clusters/${cluster.id}`,
  }))
  const pods = (figures?.clusterRows ?? []).flatMap((row) => {
    const failed = row.pods.byPhase['Failed'] ?? 0
    if (failed === 0) return []
    const href = `/kubernetes/clusters/${row.id}/pods?status=Failed`
    return [
      { key: `pods-${row.id}`, status: 'failed', name: formatCount(failed, 'pod'), place: row.title, href },
    ]
  })
  // A cluster in error already says what its last run failed of.
  const told = new Set(clusters.map((cluster) => cluster.lastRun?.runId))
  const failedRuns = runs
    .filter((run) => !told.has(run.id))
    .map((run) => ({
      key: `run-${run.id}`,
      status: run.status,
      name: run.subject ? `${run.workflowName} · ${run.subject.name}` : run.workflowName,
      ...(run.error ? { cause: run.error.message } : {}),
      at: run.finishedAt ?? run.queuedAt,
      href: runHref({ workflowId: run.workflowId, runId: run.id }),
    }))
  return [...inError, ...unreachable, ...pods, ...failedRuns]
}
