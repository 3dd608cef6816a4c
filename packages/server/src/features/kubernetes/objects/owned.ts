import type { Health, OwnedObject } from '@bey/contract'
import type { ClusterAssessment } from '../health/assessor.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { Entry } from '../watch/entries.ts'

type Owner = { kind: string; namespace: string; name: string }

/** Depth of owners below an object: a cron job's jobs and their pods. */
const maxDepth = 3

/** Pods, replica sets and jobs that belong to an object, directly or by another of them, nearest first. */
export function ownedBy(owner: Owner, cache: ClusterCache, assessment: ClusterAssessment): OwnedObject[] {
  let owners = new Set([`${owner.namespace} ${owner.kind}/${owner.name}`])
  const found: OwnedObject[] = []
  for (let depth = 0; depth < maxDepth && owners.size > 0; depth++) {
    const children = ownedDirectly(owners, cache, assessment)
    found.push(...children)
    owners = new Set(children.map(({ namespace, kind, name }) => `${namespace} ${kind}/${name}`))
  }
  return found
}

function ownedDirectly(
  owners: ReadonlySet<string>,
  cache: ClusterCache,
  assessment: ClusterAssessment,
): OwnedObject[] {
  const isOwned = (entry: Entry & { owner: string | null }) =>
    entry.owner !== null && owners.has(`${entry.namespace} ${entry.owner}`)
  const found: OwnedObject[] = []
  for (const set of cache.table('replicasets').values()) {
    if (!isOwned(set)) continue
    const { revision: number, images } = set
    found.push({
      ...owned('replicasets.apps', 'ReplicaSet', set, null, `${set.ready}/${set.desired} ready`),
      revision: number === null ? null : { number, images: images.slice(0, 20) },
    })
  }
  for (const job of cache.table('jobs').values()) {
    if (!isOwned(job)) continue
    const health = assessment.workloads.find(({ kind, uid }) => kind === 'Job' && uid === job.uid)?.verdict
      .health
    found.push(owned('jobs.batch', 'Job', job, health ?? null, `${job.ready}/${job.desired} complete`))
  }
  for (const pod of cache.table('pods').values()) {
    if (!isOwned(pod)) continue
    const { ready: readyContainers, total: containers, restarts, node } = pod
    found.push({
      ...owned('pods', 'Pod', pod, assessment.pods.get(pod) ?? null, pod.status),
      pod: { readyContainers, containers, restarts, node },
    })
  }
  return found
}

function owned(
  resource: string,
  kind: string,
  { namespace, name, createdAt }: Entry,
  health: Health | null,
  status: string,
): OwnedObject {
  return { resource, kind, namespace, name, health, status, createdAt, pod: null, revision: null }
}
