import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import type { Role } from '@bey/contract'
import { parseEndpointName } from '@bey/contract/reachability/endpoint-name'
import type { Endpoint } from '@bey/contract/reachability/endpoint'
import { AppError } from '../../../platform/errors.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { NetworkParts } from '../parts.ts'
import { createCompiledClusters } from './compiled-clusters.ts'
import { withNamedEnds } from './named-ends.ts'
import { createOtherPolicyReader } from './other-policies.ts'
import { reachabilityKinds } from './snapshot.ts'

/** What this part needs of others. */
export type ReachabilityNeeds = Pick<NetworkParts, 'clusters' | 'cache' | 'database' | 'observed'>

export type ClusterPolicies = {
  compiled: CompiledPolicies
  /** What an answer was computed from, for its reply. */
  basis: { asOf: string; policies: number; pods: number; doubt: string | null }
  /** Whether something that answers depend on could never be read: then nothing is known. */
  isUnread: boolean
}

export type PolicyReader = ReturnType<typeof createPolicyReader>

/**
 * Reads the policies of a cluster of an organization, compiled, with the databases and ingresses that `ends` name. Throws as
 * `WatchCache.read`.
 */
export function createPolicyReader(needs: ReachabilityNeeds) {
  const { clusters, cache } = needs
  const readOthers = createOtherPolicyReader(needs)
  const compiledOf = createCompiledClusters()
  return async (
    organizationId: number,
    clusterId: number,
    ends: readonly Endpoint[] = [],
  ): Promise<ClusterPolicies> => {
    const cluster = await clusters.getRunning(organizationId, clusterId)
    const cached = await cache.read(cluster, reachabilityKinds)
    const others = await readOthers(organizationId, cluster)
    const failures = cached.failures(reachabilityKinds)
    const failure = failures.find(({ isRefused }) => isRefused) ?? failures[0]
    const { asOf, noAnswerSince } = cached.freshness(reachabilityKinds)
    const compiled = compiledOf(cached, others)
    const { policies, adminPolicies = [], ciliumPolicies = [], pods } = compiled.snapshot
    const doubt =
      noAnswerSince !== null
        ? `${cluster.title} has not answered since ${minuteText(noAnswerSince)}.`
        : failure
          ? `The ${failure.kind} of ${cluster.title} cannot be read: ${failure.reason}`
          : others.doubt
    const count = policies.length + adminPolicies.length + ciliumPolicies.length
    const basis = { asOf, policies: count, pods: pods.length, doubt }
    const isUnread = failure?.isRefused === true || (noAnswerSince === null && others.doubt !== null)
    return { compiled: await withNamedEnds(needs, cluster, compiled, ends), basis, isUnread }
  }
}

/** "2026-11-25 01:08 UTC", of an instant in ISO 8601. */
const minuteText = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`

/** Refuses an end that the caller may not read: databases have a permission of their own. */
export function requireReadable(role: Role, endpoint: Endpoint): void {
  if (endpoint.kind !== 'database' || mayNow(role, 'databases.read')) return
  throw new AppError('forbidden', 'You may not read databases, so nothing is said about who reaches one.')
}

/** The end that a text names. Throws `invalid_request` with the sentence for the field. */
export function endNamed(text: string, field: string): Endpoint {
  const endpoint = parseEndpointName(text)
  if (typeof endpoint !== 'string') return endpoint
  throw new AppError('invalid_request', endpoint, { errors: [{ path: field, message: endpoint }] })
}
