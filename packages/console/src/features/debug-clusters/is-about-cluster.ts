import type { Cluster } from '@bey/contract'

/** Whether a message of the live socket is about a cluster: it names it, lists it, or is of the run that changes it. */
export function isAboutCluster(frame: object, cluster: Pick<Cluster, 'id' | 'lastRun'>): boolean {
  const data: unknown = Reflect.get(frame, 'data')
  if (typeof data !== 'object' || data === null) return false
  // Ids are compared as texts: subscriptions may carry them as either.
  const named: unknown = Reflect.get(data, 'clusterId') ?? Reflect.get(data, 'cluster_id')
  if (named !== undefined) return textOf(named) === String(cluster.id)
  const runId: unknown = Reflect.get(data, 'runId')
  if (runId !== undefined) return runId === cluster.lastRun?.runId
  const listed: unknown = Reflect.get(data, 'clusters')
  return Array.isArray(listed) && listed.some((each: unknown) => idOf(each) === String(cluster.id))
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? textOf(Reflect.get(value, 'id')) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}
