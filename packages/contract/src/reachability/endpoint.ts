import type { CompiledPolicies } from './compile.ts'
import type { Party } from './decide.ts'
import { networkCovers, networkHolds, parseIp, parseIpNetwork, type IpNetwork } from './ip-network.ts'
import { labelTest } from './label-selector.ts'
import { podNetworks } from './pod-classes.ts'
import type { DatabaseFacts, IngressFacts, PodFacts, ServiceFacts } from './snapshot.ts'

/** What a question about reachability names. An address is an IP or a network such as `0.0.0.0/0`. */
export type Endpoint =
  | { kind: 'pod'; namespace: string; name: string }
  | { kind: 'workload'; namespace: string; name: string; workloadKind?: string }
  | { kind: 'namespace'; name: string }
  | { kind: 'service'; namespace: string; name: string }
  | { kind: 'ingress'; namespace: string; name: string }
  | { kind: 'address'; address: string }
  | { kind: 'node'; name: string }
  | { kind: 'database'; id: string }

/** One end of a flow with the pod that it is, if it is one. */
export type End = { party: Party; pod?: PodFacts }

/** The ends that an endpoint stands for, or the sentence that says why there are none. */
export type Ends = { ends: readonly End[] } | { missing: string }

const text = (namespace: string, name: string) => `${namespace}/${name}`

/** `shop/search`, `10.0.0.1`, or the name of what has no namespace. */
export function endpointText(endpoint: Endpoint, databases: readonly DatabaseFacts[] = []): string {
  if (endpoint.kind === 'address') return endpoint.address
  if (endpoint.kind === 'database') return databases.find(({ id }) => id === endpoint.id)?.name ?? endpoint.id
  return 'namespace' in endpoint ? text(endpoint.namespace, endpoint.name) : endpoint.name
}

export function podParty({ classes, snapshot }: CompiledPolicies, index: number): End {
  const pod = snapshot.pods[index]
  const podClass = classes.list[classes.ofPod[index] ?? -1]
  if (pod === undefined || podClass === undefined) throw new Error('The pod is not of this snapshot.')
  return { pod, party: { podClass, networks: classes.networks[index] ?? [], node: pod.node } }
}

/** The pods that a service leads to, as places in the snapshot's list. */
export function podsOfService({ snapshot, podsOf }: CompiledPolicies, service: ServiceFacts): number[] {
  if (Object.keys(service.selector ?? {}).length === 0) return []
  const test = labelTest({ matchLabels: service.selector })
  return (podsOf.get(service.namespace) ?? []).filter((index) => test(snapshot.pods[index]?.labels ?? {}))
}

export function indexesOf(pods: readonly PodFacts[], test: (pod: PodFacts) => boolean): number[] {
  return pods.flatMap((pod, index) => (test(pod) ? [index] : []))
}

/** The name of what a pod belongs to; its own where nothing made it. */
export function workloadOf({ workload, name }: PodFacts): { kind: string; name: string } {
  return workload ?? { kind: 'Pod', name }
}

export function findService(
  { snapshot }: CompiledPolicies,
  namespace: string,
  name: string,
): ServiceFacts | undefined {
  return snapshot.services.find((one) => one.namespace === namespace && one.name === name)
}

/** The pods behind the service whose address an ingress has; else those of the controllers that are known. */
function ingressPods(compiled: CompiledPolicies, ingress: IngressFacts | undefined): number[] {
  const { snapshot } = compiled
  const inFront = snapshot.services.filter(({ balancerAddresses = [] }) =>
    balancerAddresses.some((address) => ingress?.addresses?.includes(address)),
  )
  const behind = inFront.flatMap((service) => podsOfService(compiled, service))
  if (behind.length > 0) return [...new Set(behind)]
  return (snapshot.ingressControllers ?? []).flatMap(({ namespace, selector }) => {
    const test = labelTest(selector)
    return indexesOf(snapshot.pods, (pod) => pod.namespace === namespace && test(pod.labels))
  })
}

/** What an address is in the cluster: a service is named, a pod or node found, anything else is outside. */
function endsOfAddress(compiled: CompiledPolicies, address: string): Ends {
  const { snapshot } = compiled
  const ip = parseIp(address)
  const network: IpNetwork | undefined = ip ? { ...ip, prefix: ip.bits } : parseIpNetwork(address)
  if (network === undefined)
    return {
      missing: `"${address}" is neither an address such as 10.0.0.1 nor a network such as 10.0.0.0/8.`,
    }
  if (!ip) return { ends: [{ party: { networks: [network] } }] }
  const node = snapshot.nodes?.find((one) => one.addresses.some((each) => isSame(each, ip)))
  if (node) return { ends: [{ party: { isNode: true, node: node.name, networks: [network] } }] }
  const [pod] = indexesOf(
    snapshot.pods,
    (one) => !one.hostNetwork && one.ips.some((each) => isSame(each, ip)),
  )
  return { ends: [pod === undefined ? { party: { networks: [network] } } : podParty(compiled, pod)] }
}

export function isSame(textOfAddress: string, ip: { bits: 32 | 128; value: bigint }): boolean {
  const other = parseIp(textOfAddress)
  return other !== undefined && networkHolds({ ...other, prefix: other.bits }, ip)
}

/** The pods, node or address that an endpoint stands for. A service or ingress stands for the pods behind it. */
export function endsOf(compiled: CompiledPolicies, endpoint: Endpoint): Ends {
  const { snapshot } = compiled
  const found = (indexes: readonly number[], missing: string): Ends =>
    indexes.length === 0 ? { missing } : { ends: indexes.map((index) => podParty(compiled, index)) }
  switch (endpoint.kind) {
    case 'pod': {
      const index = compiled.podIndex.get(text(endpoint.namespace, endpoint.name))
      const missing = `There is no pod ${text(endpoint.namespace, endpoint.name)} that runs.`
      return found(index === undefined ? [] : [index], missing)
    }
    case 'workload': {
      const { namespace, name, workloadKind } = endpoint
      const isIts = (pod: PodFacts) => {
        const own = workloadOf(pod)
        return pod.namespace === namespace && own.name === name && (workloadKind ?? own.kind) === own.kind
      }
      return found(indexesOf(snapshot.pods, isIts), `${text(namespace, name)} has no pods that run.`)
    }
    case 'namespace':
      return found(
        indexesOf(snapshot.pods, (pod) => pod.namespace === endpoint.name),
        `The namespace ${endpoint.name} has no pods that run.`,
      )
    case 'service': {
      const service = findService(compiled, endpoint.namespace, endpoint.name)
      const own = text(endpoint.namespace, endpoint.name)
      if (!service) return { missing: `There is no service ${own}.` }
      return found(podsOfService(compiled, service), `The service ${own} leads to no pods.`)
    }
    case 'ingress': {
      const own = text(endpoint.namespace, endpoint.name)
      const ingress = snapshot.ingresses?.find(({ namespace, name }) => text(namespace, name) === own)
      if (snapshot.ingresses && !ingress) return { missing: `There is no ingress ${own}.` }
      return found(
        ingressPods(compiled, ingress),
        `Which pods take requests for the ingress ${own} is not known: no service with pods has its address, and its controller is none whose pods Bey knows.`,
      )
    }
    case 'node': {
      const node = snapshot.nodes?.find(({ name }) => name === endpoint.name)
      if (!node) return { missing: `There is no node ${endpoint.name}.` }
      return {
        ends: [{ party: { isNode: true, node: node.name, networks: podNetworks({ ips: node.addresses }) } }],
      }
    }
    case 'address':
      return endsOfAddress(compiled, endpoint.address)
    case 'database': {
      const database = snapshot.databases?.find(({ id }) => id === endpoint.id)
      if (!database) return { missing: `There is no database ${endpoint.id}.` }
      if (database.service) return endsOf(compiled, { kind: 'service', ...database.service })
      const networks = podNetworks({ ips: database.addresses })
      if (networks.length === 0) return { missing: `No address of the database ${database.name} is known.` }
      return { ends: networks.map((network) => ({ party: { networks: [network] } })) }
    }
  }
}

/** Whether a list of networks lets in all addresses of a network; `some` where only a part. */
export function listHolds(list: readonly string[], asked: IpNetwork): 'all' | 'some' | 'none' {
  const networks = list.flatMap((one) => {
    const ip = parseIp(one)
    const network = ip ? { ...ip, prefix: ip.bits } : parseIpNetwork(one)
    return network === undefined ? [] : [network]
  })
  if (networks.some((one) => networkCovers(one, asked))) return 'all'
  return networks.some((one) => networkCovers(asked, one)) ? 'some' : 'none'
}
