import type { StandardPeer, StandardPolicy, StandardPort, StandardRule } from '../reachability/policy.ts'
import type { LabelSelector } from '../reachability/label-selector.ts'
import type { ClusterSnapshot } from '../reachability/snapshot.ts'
import { letters, nineFacts, spaces } from './network-facts.ts'

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number
const pick = <T>(random: Random, list: readonly T[]): T => {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('There is nothing to choose from.')
  return found
}
const some = <T>(random: Random, most: number, make: () => T) =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, make)

function selector(random: Random, key: string, values: readonly string[]): LabelSelector {
  const operator = pick(random, ['In', 'NotIn', 'Exists', 'DoesNotExist'])
  const listed = operator === 'In' || operator === 'NotIn'
  return pick(random, [
    {},
    { matchLabels: { [key]: pick(random, values) } },
    { matchLabels: { [key]: pick(random, values) } },
    {
      matchExpressions: [
        { key, operator, ...(listed ? { values: [pick(random, values), pick(random, values)] } : {}) },
      ],
    },
  ])
}

function peer(random: Random, addresses: readonly string[]): StandardPeer {
  const podSelector = selector(random, 'pod', letters)
  const namespaceSelector = selector(random, 'ns', spaces)
  const address = pick(random, addresses)
  const cidr = `${address}/${pick(random, [8, 16, 24, 30, 32])}`
  const except = [`${address}/32`]
  const isWide = !cidr.endsWith('/32')
  return pick<StandardPeer>(random, [
    { podSelector },
    { namespaceSelector },
    { podSelector, namespaceSelector },
    { ipBlock: { cidr, ...(isWide && random() < 0.5 ? { except } : {}) } },
  ])
}

function port(random: Random): StandardPort {
  const protocol = random() < 0.25 ? undefined : pick(random, ['TCP', 'TCP', 'UDP'])
  return pick<StandardPort>(random, [
    { protocol },
    { protocol, port: 80 },
    { protocol, port: 81 },
    { protocol, port: 70, endPort: pick(random, [79, 80, 90]) },
    { protocol, port: pick(random, ['serve-80-tcp', 'serve-81-tcp', 'serve-80-udp', 'http']) },
  ])
}

/** One valid NetworkPolicy. `addresses` are those that its blocks are about. */
export function randomPolicy(random: Random, name: string, addresses: readonly string[]): StandardPolicy {
  const rule = (side: 'from' | 'to'): StandardRule => ({
    ...(random() < 0.8 ? { [side]: some(random, 2, () => peer(random, addresses)) } : {}),
    ...(random() < 0.5 ? { ports: some(random, 2, () => port(random)) } : {}),
  })
  const types = pick(random, [[], ['Ingress'], ['Egress'], ['Ingress', 'Egress']])
  return {
    namespace: pick(random, spaces),
    name,
    spec: {
      podSelector: selector(random, 'pod', letters),
      ...(types.length > 0 ? { policyTypes: types } : {}),
      ...(random() < 0.8 ? { ingress: some(random, 2, () => rule('from')) } : {}),
      ...(random() < 0.6 ? { egress: some(random, 2, () => rule('to')) } : {}),
    },
  }
}

/** Nine pods, some with other names for their ports, under up to five policies. */
export function randomFacts(seed: number): { snapshot: ClusterSnapshot; random: Random } {
  const random = randomOf(seed)
  const { pods, ...facts } = nineFacts()
  const addresses = pods.flatMap(({ ips }) => ips)
  const changed = pods.map((one) =>
    random() < 0.2
      ? { ...one, ports: [{ name: 'http', port: pick(random, [80, 81]), protocol: 'TCP' as const }] }
      : one,
  )
  let number = 0
  const policies = some(random, 5, () => randomPolicy(random, `policy-${number++}`, addresses))
  return { snapshot: { ...facts, pods: changed, policies }, random }
}
