import type { CompiledPolicies } from './compile.ts'
import { endsOf, findService, isSame, podParty, podsOfService, type End, type Endpoint } from './endpoint.ts'
import { parseIp } from './ip-network.ts'
import type { DatabaseFacts, PodFacts, PortNumber, ServiceFacts } from './snapshot.ts'

/** An end that packets arrive at, with the port they have there. */
export type Target = End & { port: PortNumber }

/** What becomes of an address and a port before policies are asked. */
export type Translation = {
  targets: readonly Target[]
  /** The service that was translated, with the sentence about it. */
  service?: { facts: ServiceFacts; state: 'open' | 'closed' | 'unknown'; text: string }
  /** Whose allow-list is asked at the end. */
  database?: DatabaseFacts
  missing?: string
}

/** The port of a pod that a service's port leads to; undefined where the pod has none of that name. */
export function targetPort(service: ServiceFacts, port: PortNumber, pod: PodFacts): number | undefined {
  // Packets to a service without an address go to its pods as they are.
  if (service.clusterIPs.length === 0) return port.port
  const own = service.ports.find((one) => one.port === port.port && one.protocol === port.protocol)
  if (own === undefined) return undefined
  if (typeof own.targetPort !== 'string') return own.targetPort ?? own.port
  return pod.ports.find((one) => one.name === own.targetPort && one.protocol === port.protocol)?.port
}

const portList = ({ ports }: ServiceFacts) =>
  ports.map(({ port, protocol }) => `${port}/${protocol}`).join(', ') || 'none'

function throughService(compiled: CompiledPolicies, facts: ServiceFacts, port: PortNumber): Translation {
  const name = `${facts.namespace}/${facts.name}`
  const closed = (text: string): Translation => ({ targets: [], service: { facts, state: 'closed', text } })
  const isHeadless = facts.clusterIPs.length === 0
  if (facts.type === 'ExternalName')
    return {
      targets: [],
      service: { facts, state: 'unknown', text: `${name} is a name for a host outside the cluster.` },
    }
  if (!isHeadless && !facts.ports.some((one) => one.port === port.port && one.protocol === port.protocol))
    return closed(`${name} has no port ${port.port}/${port.protocol}; it has ${portList(facts)}.`)
  if (Object.keys(facts.selector ?? {}).length === 0)
    return {
      targets: [],
      service: {
        facts,
        state: 'unknown',
        text: `${name} has no selector; where it leads to is not in the policies.`,
      },
    }
  const pods = podsOfService(compiled, facts)
  if (pods.length === 0) return closed(`No pod that runs has the labels that ${name} asks for.`)
  const targets = pods.flatMap((index): Target[] => {
    const end = podParty(compiled, index)
    const own = end.pod && targetPort(facts, port, end.pod)
    return own === undefined ? [] : [{ ...end, port: { protocol: port.protocol, port: own } }]
  })
  if (targets.length === 0) return closed(`No pod of ${name} has a port of the name that it leads to.`)
  const numbers = [...new Set(targets.map((one) => one.port.port))].toSorted((a, b) => a - b)
  const [address = 'no address of its own'] = facts.clusterIPs
  const text = `${name} (${address}) leads to ${count(targets.length, 'pod')}, port ${numbers.join(' or ')}.`
  return { targets, service: { facts, state: 'open', text } }
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

function serviceAt({ snapshot }: CompiledPolicies, address: string): ServiceFacts | undefined {
  const ip = parseIp(address)
  return ip && snapshot.services.find((one) => one.clusterIPs.some((each) => isSame(each, ip)))
}

/** Follows an endpoint and a port to the pods or addresses where packets arrive, as kube-proxy does. */
export function translate(compiled: CompiledPolicies, to: Endpoint, port: PortNumber): Translation {
  if (to.kind === 'database') {
    const database = compiled.snapshot.databases?.find(({ id }) => id === to.id)
    if (database?.service) {
      const inner = translate(compiled, { kind: 'service', ...database.service }, port)
      return { ...inner, database }
    }
    // It listens on its own machine alone, wherever that is.
    if (database?.addresses.length === 0 && database.allowList?.length === 0) return { targets: [], database }
    const found = endsOf(compiled, to)
    if ('missing' in found) return { targets: [], missing: found.missing, database }
    return { targets: found.ends.map((end) => ({ ...end, port })), database }
  }
  const service =
    to.kind === 'service'
      ? findService(compiled, to.namespace, to.name)
      : to.kind === 'address'
        ? serviceAt(compiled, to.address)
        : undefined
  if (service) return throughService(compiled, service, port)
  const found = endsOf(compiled, to)
  if ('missing' in found) return { targets: [], missing: found.missing }
  return { targets: found.ends.map((end) => ({ ...end, port })) }
}
