import type { StandardPolicy, StandardRule } from '../reachability/policy.ts'
import type { ClusterSnapshot, PodFacts, ServiceFacts } from '../reachability/snapshot.ts'

/** How large a made-up cluster is. */
export type LargeSize = { namespaces: number; workloads: number; podsEach: number; policies: number }

const ipOf = (index: number) => `10.${100 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

/** Policies as teams write them: a default deny a namespace, the way to the DNS, then single ways between workloads. */
function policyOf(index: number, { namespaces, workloads }: LargeSize): StandardPolicy {
  const namespace = `team-${index % namespaces}`
  const turn = Math.floor(index / namespaces)
  if (turn === 0)
    return { namespace, name: 'default-deny', spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } }
  if (turn === 1)
    return {
      namespace,
      name: 'allow-dns',
      spec: {
        podSelector: {},
        policyTypes: ['Egress'],
        egress: [{ to: [{ namespaceSelector: {} }], ports: [{ protocol: 'UDP', port: 53 }] }],
      },
    }
  const app = (step: number) =>
    `app-${(index % namespaces) + namespaces * ((turn + step) % Math.max(1, Math.floor(workloads / namespaces)))}`
  const other = `team-${(index * 7 + 3) % namespaces}`
  const rule = (side: 'from' | 'to'): StandardRule => ({
    [side]: [
      { podSelector: { matchLabels: { app: app(1) } } },
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': other } },
        podSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['web', 'api'] }] },
      },
      {
        ipBlock: {
          cidr: `10.${100 + (index % 2)}.${index % 256}.0/24`,
          except: [`10.${100 + (index % 2)}.${index % 256}.0/28`],
        },
      },
    ],
    ports: [
      { protocol: 'TCP', port: 'http' },
      { protocol: 'TCP', port: 9_000, endPort: 9_100 },
    ],
  })
  return {
    namespace,
    name: `allow-${turn}`,
    spec: {
      podSelector: { matchLabels: { app: app(0) } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [rule('from'), { from: [{ namespaceSelector: { matchLabels: { role: 'monitoring' } } }] }],
      egress: [rule('to')],
    },
  }
}

/** A cluster with teams, workloads of a few pods, a service each, and policies between them. */
export function largeFacts(size: LargeSize): ClusterSnapshot {
  const { namespaces, workloads, podsEach, policies } = size
  const tiers = ['web', 'api', 'worker', 'db']
  const pods: PodFacts[] = []
  const services: ServiceFacts[] = []
  for (let workload = 0; workload < workloads; workload += 1) {
    const namespace = `team-${workload % namespaces}`
    const name = `app-${workload}`
    const labels = { app: name, tier: tiers[workload % tiers.length] ?? 'web' }
    services.push({
      namespace,
      name,
      type: 'ClusterIP',
      clusterIPs: [`10.96.${workload >> 8}.${workload & 255}`],
      selector: { app: name },
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }],
    })
    for (let replica = 0; replica < podsEach; replica += 1)
      pods.push({
        namespace,
        name: `${name}-${replica}`,
        labels: { ...labels, 'pod-template-hash': `${workload}` },
        ips: [ipOf(pods.length)],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        node: `node-${pods.length % 100}`,
        workload: { kind: 'Deployment', name },
      })
  }
  return {
    namespaces: Array.from({ length: namespaces }, (_, index) => ({
      name: `team-${index}`,
      labels: { team: `${index}`, role: index === 0 ? 'monitoring' : 'product' },
    })),
    pods,
    services,
    policies: Array.from({ length: policies }, (_, index) => policyOf(index, size)),
    nodes: Array.from({ length: 100 }, (_, index) => ({
      name: `node-${index}`,
      addresses: [`192.168.${index >> 8}.${index & 255}`],
    })),
  }
}
