import type { NamedSet, PolicyKind } from '@bey/contract/networks/rules'

import { ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import { deletePolicy, policyText, readPolicies, writePolicy } from './cluster-policies.ts'
import type { RenderedGroup } from './groups/render-groups.ts'
import { openLive } from './open-live.ts'
import { accessOf } from './database-access.ts'
import type { NetworkParts } from './parts.ts'
import { wantedPolicies } from './plan.ts'
import { forgetPolicy, listPolicies, noteWritten, type PlacedPolicy } from './policy-rows.ts'
import type { WantedPolicy } from './render-policies.ts'

type Subject = {
  id: string
  organizationId: number
  name: string
  cidr: string
  cidr6: string | null
  isIsolated: boolean
  policyKind: PolicyKind
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  attached: readonly { clusterId: number | null; namespace: string | null; databaseId: string | null }[]
  groups: readonly RenderedGroup[]
}

/** A policy that a round changed in a cluster. */
export type PolicyChange = {
  action: 'created' | 'changed' | 'deleted'
  /** Title of its cluster. */
  cluster: string
  namespace: string
  name: string
}

/** `failures`: what a round left undone, a sentence for each cluster or policy. */
type Realised = { written: number; deleted: number; changes: PolicyChange[]; failures: string[] }

/** Policies in clusters, and the databases whose admitted addresses changed, by name. */
type RealisedNetwork = Realised & { databases: string[] }

/**
 * Makes the clusters have exactly the policies that a network is to have. A cluster that does not answer, or a policy
 * that is refused, does not keep the others back: each is a sentence in `failures`, and the next round goes on there.
 * `isGone`: it is to have none at all.
 */
export async function realisePolicies(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database' | 'clock' | 'access'>,
  subject: Subject,
  options: { isGone: boolean; log: (line: string) => void; signal: AbortSignal },
): Promise<RealisedNetwork> {
  const { organizationId, id } = subject
  const { wanted, unread } = options.isGone
    ? { wanted: [], unread: [] }
    : await wantedPolicies(parts, organizationId, subject)
  const failures = unread.map(({ title, reason }) => `${title}: ${reason}`)
  const kept = await parts.database.readTenant(organizationId, (db) => listPolicies(db, organizationId, id))
  const silent = new Set(unread.map(({ clusterId }) => clusterId))
  const clusterIds = [...new Set([...wanted, ...kept].map(({ clusterId }) => clusterId))]
  const changes: PolicyChange[] = []
  let [written, deleted] = [0, 0]
  for (const clusterId of clusterIds.filter((each) => !silent.has(each))) {
    options.signal.throwIfAborted()
    const own = wanted.filter((each) => each.clusterId === clusterId)
    const before = kept.filter((each) => each.clusterId === clusterId)
    const done = await inCluster(parts, subject, clusterId, own, before, options)
    written += done.written
    deleted += done.deleted
    changes.push(...done.changes)
    failures.push(...done.failures)
  }
  options.signal.throwIfAborted()
  const access = await parts.access.apply(organizationId, accessOf(subject, options.isGone), options.log)
  failures.push(...access.failures)
  return { written, deleted, changes, failures, databases: access.changes.map(({ name }) => name) }
}

async function inCluster(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database' | 'clock'>,
  { organizationId, id }: Subject,
  clusterId: number,
  wanted: readonly WantedPolicy[],
  kept: readonly PlacedPolicy[],
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<Realised> {
  const { clusters, database, clock } = parts
  const title = (await clusters.find(organizationId, clusterId))?.title ?? String(clusterId)
  const network = { organizationId, networkId: id }
  const same = (a: Omit<PlacedPolicy, 'clusterId'>) => (b: Omit<PlacedPolicy, 'clusterId'>) =>
    a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
  const failures: string[] = []
  const changes: PolicyChange[] = []
  let [written, deleted] = [0, 0]
  const note = (
    action: PolicyChange['action'],
    { namespace, name }: Pick<PlacedPolicy, 'namespace' | 'name'>,
  ) => changes.push({ action, cluster: title, namespace, name })

  async function attempt(work: () => Promise<void>): Promise<void> {
    signal.throwIfAborted()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ClusterFailure)) throw error
      const line = `${title}: ${error.message}`
      // A cluster that is away says the same of each.
      if (!failures.includes(line)) failures.push(line)
      log(line)
    }
  }

  await attempt(async () => {
    const cluster = await openLive(parts, organizationId, clusterId)
    const live = await readPolicies(cluster, id)
    for (const each of wanted) {
      await attempt(async () => {
        const { spec, effect } = await writePolicy(cluster, each, id)
        if (effect !== 'none') note(effect, each)
        await database.withTenant(organizationId, (db) => noteWritten(db, network, each, spec, clock.now()))
        written += 1
        log(`${title}: ${policyText(each)} is in force.`)
      })
    }
    for (const each of [...live, ...kept].filter((place) => !wanted.some(same(place)))) {
      await attempt(async () => {
        if (await deletePolicy(cluster, each, id)) note('deleted', each)
        await database.withTenant(organizationId, (db) =>
          forgetPolicy(db, network, {
            clusterId,
            kind: each.kind,
            namespace: each.namespace,
            name: each.name,
          }),
        )
        deleted += 1
        log(`${title}: ${policyText(each)} is deleted.`)
      })
    }
  })
  return { written, deleted, changes, failures }
}
