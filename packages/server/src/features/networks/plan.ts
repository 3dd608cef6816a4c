import type { PlannedPolicy } from '@bey/contract'
import type { NamedSet, PolicyKind } from '@bey/contract/networks/rules'
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'

import { ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import { inKind } from './cilium-spec.ts'
import { policyObject, readPolicies, requireServed } from './cluster-policies.ts'
import { type RenderedGroup, renderGroups } from './groups/render-groups.ts'
import { readServicePeers } from './groups/service-peers.ts'
import { openLive } from './open-live.ts'
import type { NetworkParts } from './parts.ts'
import { placesOf, unreadCluster, type UnreadCluster } from './places.ts'
import type { PlacedPolicy, Spec } from './policy-rows.ts'
import { renderPolicies, type WantedPolicy } from './render-policies.ts'

type Subject = {
  id: string
  name: string
  cidr: string
  cidr6: string | null
  isIsolated: boolean
  policyKind: PolicyKind
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  attached: readonly { clusterId: number | null; namespace: string | null }[]
  groups: readonly RenderedGroup[]
}

/** The policies that a network is to have, and clusters that do not tell their namespaces. */
export async function wantedPolicies(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database'>,
  organizationId: number,
  subject: Omit<Subject, 'id'>,
): Promise<{ wanted: WantedPolicy[]; unread: UnreadCluster[] }> {
  const { places, unread } = await placesOf(parts, organizationId, subject.attached)
  const { name, subnets, sets, groups } = subject
  const services = await readServicePeers(parts, organizationId, groups)
  const wanted = [
    ...renderPolicies({ ...subject, places }),
    ...renderGroups(groups, { network: name, subnets, sets, servicesOf: services.servicesOf }),
  ].map(inKind(subject.policyKind))
  const known = new Set(unread.map(({ clusterId }) => clusterId))
  return { wanted, unread: [...unread, ...services.unread.filter(({ clusterId }) => !known.has(clusterId))] }
}

/** What a run would do in each cluster, as they are now. */
export async function planPolicies(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database'>,
  organizationId: number,
  subject: Subject & { keptIn: readonly number[] },
): Promise<{ policies: PlannedPolicy[]; unread: UnreadCluster[] }> {
  const { wanted, unread } = await wantedPolicies(parts, organizationId, subject)
  const silent = new Set(unread.map(({ clusterId }) => clusterId))
  const clusterIds = [...new Set([...wanted.map(({ clusterId }) => clusterId), ...subject.keptIn])]
  const planned = await Promise.all(
    clusterIds
      .filter((clusterId) => !silent.has(clusterId))
      .map(async (clusterId) => {
        try {
          return await planInCluster(parts, organizationId, subject, clusterId, wanted)
        } catch (error) {
          if (!(error instanceof ClusterFailure)) throw error
          unread.push(await unreadCluster(parts, organizationId, clusterId, error))
          return []
        }
      }),
  )
  return { policies: planned.flat(), unread }
}

async function planInCluster(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database'>,
  organizationId: number,
  { id, policyKind }: Subject,
  clusterId: number,
  all: readonly WantedPolicy[],
): Promise<PlannedPolicy[]> {
  const cluster = await openLive(parts, organizationId, clusterId)
  if (all.some((each) => each.clusterId === clusterId)) await requireServed(cluster, policyKind)
  const live = await readPolicies(cluster, id)
  const clusterTitle = (await parts.clusters.find(organizationId, clusterId))?.title ?? String(clusterId)
  const wanted = all.filter((each) => each.clusterId === clusterId)
  const yaml = (place: Omit<PlacedPolicy, 'clusterId'>, spec: Spec) =>
    stringify(policyObject({ ...place, spec }, id))
  const at = (place: Omit<PlacedPolicy, 'clusterId'>) => ({
    clusterId,
    clusterTitle,
    kind: place.kind,
    namespace: place.namespace,
    name: place.name,
  })
  const same = (a: Omit<PlacedPolicy, 'clusterId'>) => (b: Omit<PlacedPolicy, 'clusterId'>) =>
    a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
  const written = wanted.flatMap((each): PlannedPolicy[] => {
    const before = live.find(same(each))
    const after = yaml(each, each.spec)
    if (before === undefined) return [{ ...at(each), action: 'create', before: null, after, spec: each.spec }]
    if (isDeepStrictEqual(before.spec, each.spec)) return []
    return [{ ...at(each), action: 'change', before: yaml(before, before.spec), after, spec: each.spec }]
  })
  const gone = live
    .filter((each) => !wanted.some(same(each)))
    .map((each): PlannedPolicy => ({
      ...at(each),
      action: 'delete',
      before: yaml(each, each.spec),
      after: null,
      spec: null,
    }))
  return [...written, ...gone]
}
