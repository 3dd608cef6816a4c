import { BlockList, isIP } from 'node:net'
import { field, type Cause } from '../../status-error.ts'
import { networkPolicies, type LabelSelector, type NetworkPolicy } from '../../types.ts'
import { selector } from '../selector-rules.ts'
import { strategy } from '../strategy.ts'
import { checkPort, checkPortName } from './container-validation.ts'

type Ingress = NonNullable<NetworkPolicy['spec']['ingress']>[number]
type Peer = NonNullable<Ingress['from']>[number]
type Port = NonNullable<Ingress['ports']>[number]

const protocols = ['TCP', 'UDP', 'SCTP']
const directions = ['Egress', 'Ingress']

const checkSelector = (own: LabelSelector | undefined, path: string) => selector(own, path, {})

function checkPolicyPort({ protocol, port, endPort }: Port, path: string): Cause[] {
  const causes: Cause[] = []
  const end = `${path}.endPort`
  if (protocol && !protocols.includes(protocol))
    causes.push(field.unsupported(`${path}.protocol`, protocol, protocols))
  if (typeof port === 'number') {
    causes.push(...checkPort(port, `${path}.port`))
    if (endPort !== undefined && endPort < port)
      causes.push(field.invalid(end, port, 'must be greater than or equal to `port`'))
    if (endPort !== undefined) causes.push(...checkPort(endPort, end))
  } else if (typeof port === 'string') {
    const text = 'may not be specified when `port` is non-numeric'
    if (endPort !== undefined) causes.push(field.invalid(end, endPort, text))
    causes.push(...checkPortName(port, `${path}.port`))
  } else if (endPort !== undefined) {
    causes.push(field.invalid(end, endPort, 'may not be specified when `port` is not specified'))
  }
  return causes
}

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

function parseNetwork(text: string): Network | undefined {
  const [address = '', length = ''] = text.split('/')
  const version = isIP(address)
  const bits = Number(length)
  if (version === 0 || !/^\d{1,3}$/.test(length) || bits > (version === 4 ? 32 : 128)) return undefined
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

function isStrictlyWithin(inner: Network, outer: Network): boolean {
  const list = new BlockList()
  list.addSubnet(outer.address, outer.bits, outer.family)
  return inner.bits > outer.bits && inner.family === outer.family && list.check(inner.address, inner.family)
}

const networkText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

function checkBlock({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, path: string): Cause[] {
  if (!cidr) return [field.required(`${path}.cidr`)]
  const outer = parseNetwork(cidr)
  if (!outer) return [field.invalid(`${path}.cidr`, cidr, networkText)]
  return except.flatMap((text, i) => {
    const inner = parseNetwork(text)
    if (!inner) return [field.invalid(`${path}.except[${i}]`, text, networkText)]
    if (isStrictlyWithin(inner, outer)) return []
    return [field.invalid(`${path}.except[${i}]`, text, 'must be a strict subset of `cidr`')]
  })
}

function checkPeer({ podSelector, namespaceSelector, ipBlock }: Peer, path: string): Cause[] {
  const causes = [
    ...checkSelector(podSelector, `${path}.podSelector`),
    ...checkSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? checkBlock(ipBlock, `${path}.ipBlock`) : []),
  ]
  const isSelector = podSelector !== undefined || namespaceSelector !== undefined
  if (!isSelector && !ipBlock) causes.push(field.required(path, 'must specify a peer'))
  if (isSelector && ipBlock)
    causes.push(field.forbidden(path, 'may not specify both ipBlock and another peer'))
  return causes
}

function checkPolicy({ spec }: NetworkPolicy): Cause[] {
  const causes = checkSelector(spec.podSelector, 'spec.podSelector')
  const rules = [
    ...(spec.ingress ?? []).map(({ ports, from }, i) => ({
      path: `spec.ingress[${i}]`,
      ports,
      from,
      to: [],
    })),
    ...(spec.egress ?? []).map(({ ports, to }, i) => ({ path: `spec.egress[${i}]`, ports, from: [], to })),
  ]
  for (const { path, ports = [], from = [], to = [] } of rules) {
    for (const [i, port] of ports.entries()) causes.push(...checkPolicyPort(port, `${path}.ports[${i}]`))
    for (const [i, peer] of from.entries()) causes.push(...checkPeer(peer, `${path}.from[${i}]`))
    for (const [i, peer] of to.entries()) causes.push(...checkPeer(peer, `${path}.to[${i}]`))
  }
  const types = spec.policyTypes ?? []
  if (types.length > 2)
    return [...causes, field.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
  for (const [i, type] of types.entries())
    if (!directions.includes(type)) causes.push(field.unsupported(`spec.policyTypes[${i}]`, type, directions))
  return causes
}

export const networkPolicyStrategy = strategy(networkPolicies, {
  defaults({ spec }) {
    spec.podSelector ??= {}
    if (!spec.policyTypes?.length)
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress']
    for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
      for (const port of rule.ports ?? []) port.protocol ??= 'TCP'
  },
  validate: checkPolicy,
})
