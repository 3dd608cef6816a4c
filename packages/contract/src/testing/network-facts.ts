import type { ClusterSnapshot, PodFacts, PortNumber } from '../reachability/snapshot.ts'
import type { StandardPolicy } from '../reachability/policy.ts'

export const spaces = ['x', 'y', 'z'] as const
export const letters = ['a', 'b', 'c'] as const

/** A pod `x/a` at 10.x.0.a with the ports 80 and 81 of every protocol, named `serve-80-tcp` and so on. */
function pod(space: number, letter: number): PodFacts {
  const namespace = spaces[space] ?? ''
  const name = letters[letter] ?? ''
  return {
    namespace,
    name,
    labels: { pod: name, app: `${namespace}-${name}` },
    ips: [`10.${space + 1}.0.${letter + 1}`],
    ports: [80, 81].flatMap((port) =>
      (['TCP', 'UDP', 'SCTP'] as const).map((protocol) => ({
        name: `serve-${port}-${protocol.toLowerCase()}`,
        port,
        protocol,
      })),
    ),
    node: letter === 0 ? 'node-1' : 'node-2',
  }
}

/** Three namespaces with three pods each, as upstream's tests of network policies have them, and two nodes. */
export function nineFacts(over: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  return {
    namespaces: spaces.map((name) => ({ name, labels: { ns: name } })),
    pods: spaces.flatMap((_, space) => letters.map((_letter, letter) => pod(space, letter))),
    services: [],
    policies: [],
    nodes: [
      { name: 'node-1', addresses: ['192.168.0.1'] },
      { name: 'node-2', addresses: ['192.168.0.2'] },
    ],
    ...over,
  }
}

/** A policy of the namespace x for the pod a, or for what `spec` selects. */
export function policy(spec: StandardPolicy['spec'], name = 'policy', namespace = 'x'): StandardPolicy {
  return { namespace, name, spec: { podSelector: { matchLabels: { pod: 'a' } }, ...spec } }
}

export const tcp80: PortNumber = { protocol: 'TCP', port: 80 }
export const tcp81: PortNumber = { protocol: 'TCP', port: 81 }
export const udp80: PortNumber = { protocol: 'UDP', port: 80 }
export const sctp80: PortNumber = { protocol: 'SCTP', port: 80 }
