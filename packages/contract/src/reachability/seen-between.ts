import type { CompiledPolicies } from './compile.ts'
import { endpointName } from './endpoint-name.ts'
import { endsOf, type End, type Endpoint } from './endpoint.ts'
import type { PortNumber } from './snapshot.ts'
import { translate } from './translate.ts'
import type { ObservedFlow } from './what-if.ts'

/** Connections that were seen from one end to another, on the port that packets arrive at. */
export type SeenBetween = { passed: number; dropped: number; lastSeenAtMs: number }

/** Adds up what was seen between two ends, of any of their pods; `isDropped` says which connections were refused. */
export function seenBetween(
  compiled: CompiledPolicies,
  from: Endpoint,
  to: Endpoint,
  port: PortNumber,
  observed: readonly (ObservedFlow & { isDropped: boolean })[],
): SeenBetween {
  const known = new Map<string, Set<string>>()
  const keysOf = (end: Endpoint): Set<string> => {
    const name = endpointName(end)
    const keys = known.get(name) ?? keysOfEnd(compiled, end)
    known.set(name, keys)
    return keys
  }
  const { targets } = translate(compiled, to, port)
  const ports = new Set(targets.map((target) => portKey(target.port)))
  const arrivals = new Set(targets.map((target) => `${keyOf(target)} ${portKey(target.port)}`))
  const sources = keysOf(from)
  const seen = { passed: 0, dropped: 0, lastSeenAtMs: 0 }
  for (const flow of observed) {
    const at = portKey(flow.port)
    if (!ports.has(at)) continue
    if (![...keysOf(flow.to)].some((key) => arrivals.has(`${key} ${at}`))) continue
    if (![...keysOf(flow.from)].some((key) => sources.has(key))) continue
    seen[flow.isDropped ? 'dropped' : 'passed'] += flow.count ?? 1
    seen.lastSeenAtMs = Math.max(seen.lastSeenAtMs, flow.lastSeenAtMs ?? 0)
  }
  return seen
}

const portKey = ({ protocol, port }: PortNumber) => `${protocol}/${port}`

const keyOf = ({ pod, party }: End): string =>
  pod
    ? `${pod.namespace}/${pod.name}`
    : party.networks.map(({ value, prefix }) => `${value}/${prefix}`).join()

function keysOfEnd(compiled: CompiledPolicies, end: Endpoint): Set<string> {
  const found = endsOf(compiled, end)
  return new Set('missing' in found ? [] : found.ends.map(keyOf))
}
