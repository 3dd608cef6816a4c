import type { CompiledPolicies } from './compile.ts'
import { endsOf, podParty, podsOfService, workloadOf, type End, type Endpoint } from './endpoint.ts'
import type { PortNumber } from './snapshot.ts'
import { targetPort, type Target } from './translate.ts'

/** Pods that are one row of a matrix: a workload, a namespace, or addresses outside. */
export type Group = {
  /** The same for the same group of every snapshot: `Deployment/shop/search`. */
  id: string
  name: string
  namespace?: string
  endpoint: Endpoint
  ends: readonly End[]
}

/** A group and the port of it that is asked about. */
export type Column = { group: Group; port: PortNumber; targets: readonly Target[] }

/** Stands for a port that no rule names: what a rule without ports opens. */
export const otherPort: PortNumber = { protocol: 'TCP', port: 0 }

/** `8080/TCP`, or `any other port`. */
export function portNumberText({ protocol, port }: PortNumber): string {
  return port === 0 ? 'any other port' : `${port}/${protocol}`
}

const order = (a: Group, b: Group) => (a.id < b.id ? -1 : 1)

/** The pods of a snapshot by what made them, or by their namespace, in the order of their names. */
export function groupPods(
  compiled: CompiledPolicies,
  by: 'workload' | 'namespace',
  namespaces?: readonly string[],
): Group[] {
  const groups = new Map<string, { group: Omit<Group, 'ends'>; ends: End[] }>()
  for (const [index, pod] of compiled.snapshot.pods.entries()) {
    const { namespace } = pod
    if (namespaces !== undefined && !namespaces.includes(namespace)) continue
    const { kind, name } = workloadOf(pod)
    const group: Omit<Group, 'ends'> =
      by === 'namespace'
        ? { id: `Namespace/${namespace}`, name: namespace, endpoint: { kind: 'namespace', name: namespace } }
        : {
            id: `${kind}/${namespace}/${name}`,
            name,
            namespace,
            endpoint: { kind: 'workload', workloadKind: kind, namespace, name },
          }
    const found = groups.get(group.id) ?? { group, ends: [] }
    groups.set(group.id, found)
    found.ends.push(podParty(compiled, index))
  }
  return [...groups.values()].map(({ group, ends }) => ({ ...group, ends })).toSorted(order)
}

/** Addresses outside the cluster as a group; all of IPv4 unless others are named. */
export function outsideGroup(compiled: CompiledPolicies, address = '0.0.0.0/0'): Group | undefined {
  const endpoint: Endpoint = { kind: 'address', address }
  const found = endsOf(compiled, endpoint)
  if ('missing' in found) return undefined
  const name = address === '0.0.0.0/0' ? 'internet' : address
  return { id: `Address/${address}`, name, endpoint, ends: found.ends }
}

const key = ({ protocol, port }: PortNumber) => `${protocol}/${port}`

/**
 * The ports of each pod that are worth asking about: those that its containers declare and those that services lead to. By
 * the pod's place in the snapshot's list.
 */
export function knownPorts(compiled: CompiledPolicies): PortNumber[][] {
  const { pods, services } = compiled.snapshot
  const ports = pods.map(
    (pod) => new Map(pod.ports.map(({ port, protocol }) => [key({ port, protocol }), { port, protocol }])),
  )
  for (const service of services)
    for (const index of podsOfService(compiled, service))
      for (const { port, protocol } of service.ports) {
        const pod = pods[index]
        const own = pod && targetPort(service, { port, protocol }, pod)
        if (own !== undefined) ports[index]?.set(key({ port: own, protocol }), { port: own, protocol })
      }
  return ports.map((each) => [...each.values()].toSorted((a, b) => a.port - b.port))
}

/** A column for each known port of each group; `otherPort` for a group without any. */
export function columnsOf(compiled: CompiledPolicies, groups: readonly Group[]): Column[] {
  const ports = knownPorts(compiled)
  return groups.flatMap((group) => {
    const own = new Map<string, PortNumber>()
    for (const { pod } of group.ends) {
      const index = pod && compiled.podIndex.get(`${pod.namespace}/${pod.name}`)
      for (const port of index === undefined ? [] : (ports[index] ?? [])) own.set(key(port), port)
    }
    const list = own.size > 0 ? [...own.values()] : [otherPort]
    return list.map((port) => columnOf(group, port))
  })
}

export function columnOf(group: Group, port: PortNumber): Column {
  return { group, port, targets: group.ends.map((end) => ({ ...end, port })) }
}
