import { blockHolds, compileBlock } from './ip-block.ts'
import { parseIp, type IpNetwork } from './ip-network.ts'
import { labelTest, type LabelSelector, type Labels } from './label-selector.ts'
import type { IpBlock } from './policy.ts'
import type { ClusterSnapshot, PodFacts, PolicySet } from './snapshot.ts'

/** Pods that no policy can distinguish: what is true of one of them is true of all. */
export type PodClass = {
  id: number
  namespace: string
  labels: Labels
  hostNetwork: boolean
  /** The numbers of named ports, by `TCP/http`. */
  namedPorts: ReadonlyMap<string, readonly number[]>
  /** The addresses of one of the pods; blocks that the policies name hold those of all others alike. */
  networks: readonly IpNetwork[]
  /** Its pods have addresses of IPv4 and of IPv6. */
  isDualStack: boolean
  /** Places in the snapshot's list. */
  pods: number[]
}

export type PodClasses = {
  list: readonly PodClass[]
  /** Class of the pod at the same place of the snapshot's list. */
  ofPod: readonly number[]
  /** Addresses of the pod at the same place. */
  networks: readonly (readonly IpNetwork[])[]
  namespaceLabels: ReadonlyMap<string, Labels>
  /** Whether these policies tell no pods apart that are of one class. */
  fits: (set: PolicySet) => boolean
  /** Classes whose labels and namespace match; everywhere where no namespace selector is given. */
  matching: (podSelector: LabelSelector, namespaces: LabelSelector | string | undefined) => Uint8Array
  /** Classes whose addresses lie in this block. */
  inBlock: (block: IpBlock) => Uint8Array
}

/** What policies tell pods apart by. */
type Marks = { keys: Set<string>; blocks: Map<string, IpBlock> }

function marksOf(sets: readonly PolicySet[]): Marks {
  const marks: Marks = { keys: new Set(), blocks: new Map() }
  for (const { policies, adminPolicies = [], ciliumPolicies = [] } of sets)
    for (const { spec } of [...policies, ...adminPolicies, ...ciliumPolicies])
      namedIn(spec, marks.keys, marks.blocks)
  return marks
}

/** Every label key and every block of addresses that policies name, whatever their kind. */
function namedIn(value: unknown, keys: Set<string>, blocks: Map<string, IpBlock>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) namedIn(one, keys, blocks)
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'matchLabels' && typeof inner === 'object' && inner !== null)
      for (const key of Object.keys(inner)) keys.add(bareKey(key))
    if (name === 'key' && typeof inner === 'string') keys.add(bareKey(inner))
    if (name === 'ipBlock') {
      // Policies are typed, so that a block stands here.
      const block = inner as IpBlock
      blocks.set(JSON.stringify(block), block)
    }
    namedIn(inner, keys, blocks)
  }
}

/** Without the source that Cilium puts before the keys of labels: `k8s:app` and `any:app` are `app`. */
export function bareKey(key: string): string {
  return key.replace(/^(k8s|any):/, '')
}

export function podNetworks({ ips }: Pick<PodFacts, 'ips'>): IpNetwork[] {
  return ips.flatMap((text) => {
    const ip = parseIp(text)
    return ip === undefined ? [] : [{ ...ip, prefix: ip.bits }]
  })
}

function portNames({ ports }: PodFacts): Map<string, number[]> {
  const names = new Map<string, number[]>()
  for (const { name, port, protocol } of ports) {
    if (name === undefined) continue
    const key = `${protocol}/${name}`
    names.set(key, [...(names.get(key) ?? []), port])
  }
  return names
}

/**
 * Sorts the pods of a snapshot into classes. Only the labels, blocks and port names that the policies of these sets name
 * tell pods apart, so that a cluster with thousands of pods has a few hundred classes.
 */
export function classifyPods(snapshot: ClusterSnapshot, sets: readonly PolicySet[]): PodClasses {
  const { keys, blocks } = marksOf(sets)
  const tests = [...blocks.values()].map(blockTest)
  const namespaceLabels = new Map<string, Labels>()
  for (const { name, labels } of snapshot.namespaces)
    namespaceLabels.set(name, { ...labels, 'kubernetes.io/metadata.name': name })
  const byKey = new Map<string, PodClass>()
  const ofPod: number[] = []
  const allNetworks: IpNetwork[][] = []
  for (const [index, pod] of snapshot.pods.entries()) {
    const networks = podNetworks(pod)
    const labels = Object.fromEntries(
      Object.entries(pod.labels)
        .filter(([key]) => keys.has(key))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    const namedPorts = portNames(pod)
    const isDualStack = networks.some(({ bits }) => bits !== networks[0]?.bits)
    allNetworks.push(networks)
    const numbers = networks.map(numberOf)
    const held: number[] = []
    // Millions of turns in a large cluster: a list of pairs would be as many objects.
    for (let place = 0; place < tests.length; place += 1)
      if (tests[place]?.(networks, numbers)) held.push(place)
    const key = JSON.stringify([
      pod.namespace,
      pod.hostNetwork === true,
      labels,
      [...namedPorts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      held,
      isDualStack,
    ])
    const found = byKey.get(key) ?? {
      id: byKey.size,
      namespace: pod.namespace,
      labels,
      hostNetwork: pod.hostNetwork === true,
      namedPorts,
      networks,
      isDualStack,
      pods: [],
    }
    byKey.set(key, found)
    found.pods.push(index)
    ofPod.push(found.id)
    if (!namespaceLabels.has(pod.namespace))
      namespaceLabels.set(pod.namespace, { 'kubernetes.io/metadata.name': pod.namespace })
  }
  const list = [...byKey.values()]
  const fits = (set: PolicySet) => {
    const other = marksOf([set])
    return (
      [...other.keys].every((key) => keys.has(key)) &&
      [...other.blocks.keys()].every((key) => blocks.has(key))
    )
  }
  return { list, ofPod, networks: allNetworks, namespaceLabels, fits, ...matchers(list, namespaceLabels) }
}

/** Numbers are several times as quick as the big ones that IPv6 needs. */
const numberOf = ({ bits, value }: IpNetwork) => (bits === 32 ? Number(value) : -1)

/** Whether a block holds one of some addresses, which are given as networks and as what `numberOf` makes of these. */
function blockTest(block: IpBlock): (networks: readonly IpNetwork[], numbers: readonly number[]) => boolean {
  const compiled = compileBlock(block)
  if (typeof compiled === 'string') return () => false
  const { network, except } = compiled
  if (network.bits === 128)
    return (networks) => networks.some((address) => blockHolds(compiled, address) === 'all')
  const [outer, ...inner] = [network, ...except].map((one) => {
    const from = numberOf(one)
    return { from, to: from + 2 ** (32 - one.prefix) - 1 }
  })
  return (_, numbers) => {
    for (const number of numbers) {
      if (outer === undefined || number < outer.from || number > outer.to) continue
      if (!inner.some(({ from, to }) => number >= from && number <= to)) return true
    }
    return false
  }
}

function matchers(list: readonly PodClass[], namespaceLabels: ReadonlyMap<string, Labels>) {
  const byNamespace = new Map<string, PodClass[]>()
  for (const one of list) {
    const others = byNamespace.get(one.namespace)
    if (others) others.push(one)
    else byNamespace.set(one.namespace, [one])
  }
  const cache = new Map<string, Uint8Array>()
  const cached = (key: string, make: (bits: Uint8Array) => void) => {
    const known = cache.get(key)
    if (known) return known
    const bits = new Uint8Array(list.length)
    make(bits)
    cache.set(key, bits)
    return bits
  }
  const matching: PodClasses['matching'] = (podSelector, namespaces) =>
    cached(JSON.stringify([podSelector, namespaces ?? null]), (bits) => {
      const test = labelTest(podSelector)
      const within = typeof namespaces === 'object' ? labelTest(namespaces) : () => true
      for (const [name, members] of byNamespace) {
        if (typeof namespaces === 'string' ? name !== namespaces : !within(namespaceLabels.get(name) ?? {}))
          continue
        for (const { id, labels } of members) if (test(labels)) bits[id] = 1
      }
    })
  const inBlock: PodClasses['inBlock'] = (block) =>
    cached(`block ${JSON.stringify(block)}`, (bits) => {
      const test = blockTest(block)
      for (const { id, networks } of list) if (test(networks, networks.map(numberOf))) bits[id] = 1
    })
  return { matching, inBlock }
}
