import type { Health } from '../base/health.ts'
import { healthy } from '../base/health.ts'

/** What a service is judged by. */
export type JudgedService = {
  createdAt: string | null
  network: { type: string; selector?: Readonly<Record<string, string>> | undefined }
  /** Of type LoadBalancer: addresses and names that it was given so far. */
  balancerAddresses?: readonly string[]
}

/** Endpoints of one slice, of the service that it belongs to. */
type Slice = { namespace: string; service: string; addressType: string; ready: number; total: number }

/** Endpoints of a service that are ready, and all of them. */
export type Endpoints = { ready: number; total: number }

/** For so long a new service may wait for its address before somebody has to look at it. */
const pendingMs = 5 * 60_000
/** For so long the pods of a new service may start. */
const startingMs = 60_000

/** By `namespace/name` of the service. One with two families of addresses has its endpoints in both: they count once. */
export function endpointsByService(slices: Iterable<Slice>): Map<string, Endpoints> {
  const byFamily = new Map<string, Endpoints & { of: string }>()
  for (const { namespace, service, addressType, ready, total } of slices) {
    const key = `${namespace}/${service}/${addressType}`
    const before = byFamily.get(key) ?? { of: `${namespace}/${service}`, ready: 0, total: 0 }
    byFamily.set(key, { ...before, ready: before.ready + ready, total: before.total + total })
  }
  const result = new Map<string, Endpoints>()
  for (const { of, ready, total } of byFamily.values()) {
    const other = result.get(of)
    if (!other || other.total < total) result.set(of, { ready, total })
  }
  return result
}

/**
 * Pure: whether anything answers a service. A load balancer needs an address and a ready endpoint; any other service a
 * ready endpoint if it has a selector: without one somebody else writes its addresses.
 * `endpoints`: undefined where Bey may not read them.
 */
export function serviceHealth(
  { createdAt, network, balancerAddresses = [] }: JudgedService,
  endpoints: Endpoints | undefined,
  nowMs: number,
): Health {
  const ageMs = createdAt === null ? 0 : nowMs - Date.parse(createdAt)
  const isBalancer = network.type === 'LoadBalancer'
  if (isBalancer && balancerAddresses.length === 0) {
    const isLate = ageMs >= pendingMs
    return {
      state: isLate ? 'failing' : 'starting',
      reason: 'Pending',
      detail: isLate
        ? 'It has no address yet. Nothing in the cluster gives addresses to load balancers, or it refuses this one: look at its events.'
        : 'It waits for its address.',
      since: createdAt,
      object: null,
    }
  }
  const selects = Object.keys(network.selector ?? {}).length > 0
  const isAnswered = isBalancer || (selects && network.type !== 'ExternalName')
  if (isAnswered && endpoints?.ready === 0) {
    const isNew = createdAt !== null && ageMs < startingMs
    return {
      state: isNew ? 'starting' : 'failing',
      reason: isNew ? 'Starting' : 'NoReadyEndpoints',
      detail:
        endpoints.total === 0
          ? 'No pod is behind it.'
          : `No pod behind it is ready: 0 of ${endpoints.total}.`,
      since: null,
      object: null,
    }
  }
  return healthy
}
