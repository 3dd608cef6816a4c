import { isDeepStrictEqual } from 'node:util'

import type { NamedSet, PolicyKind } from '@bey/contract/networks/rules'
import { inKind } from '../cilium-spec.ts'
import type { NetworkParts } from '../parts.ts'
import { listPolicies, type PolicyPlace } from '../policy-rows.ts'
import { isServicePeer, readServicePeers, servicePeerProblems } from './service-peers.ts'
import { groupPlaces, type RenderedGroup, renderGroups } from './render-groups.ts'

type Subject = {
  organizationId: number
  id: string
  name: string
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  policyKind: PolicyKind
  groups: readonly RenderedGroup[]
}

/**
 * What has become of the services and databases that rules name since the policies were written, a sentence each: one that is gone, or
 * selects other pods or leads to other ports by now. A cluster that does not answer is left out.
 */
export async function outdatedRules(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache'>,
  { organizationId, id, name, subnets, sets, policyKind, groups }: Subject,
): Promise<string[]> {
  const concerned = groups.filter(({ rules }) => rules.some(({ peer }) => isServicePeer(peer)))
  if (concerned.length === 0) return []
  const { servicesOf, unread } = await readServicePeers(parts, organizationId, concerned)
  const kept = await parts.database.readTenant(organizationId, (db) => listPolicies(db, organizationId, id))
  const rendered = renderGroups(groups, { network: name, subnets, sets, servicesOf }).map(inKind(policyKind))
  const isOther = (place: PolicyPlace): boolean => {
    if (unread.some(({ clusterId }) => clusterId === place.clusterId)) return false
    const wanted = rendered.find(isAt(place))
    const before = kept.find(isAt(place))
    return before !== undefined && !isDeepStrictEqual(before.written, wanted?.spec)
  }
  return concerned.flatMap((group) => {
    const problems = servicePeerProblems(group, servicesOf)
    if (problems.length > 0) return problems.map(({ message }) => `${group.name}: ${message}`)
    return groupPlaces(group, name).some(isOther)
      ? [`${group.name}: a service or database that its rules name leads elsewhere by now. Apply it again.`]
      : []
  })
}

const isAt = (place: PolicyPlace) => (other: PolicyPlace) =>
  other.clusterId === place.clusterId && other.namespace === place.namespace && other.name === place.name
