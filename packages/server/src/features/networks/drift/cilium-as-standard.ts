import type { Spec } from '../policy-rows.ts'
import type { Inexpressible } from './policy-openings.ts'

type Json = Readonly<Record<string, unknown>>

/** By which Cilium knows the namespace of a pod; the second is what others write. */
const namespaceKeys = ['k8s:io.kubernetes.pod.namespace', 'io.kubernetes.pod.namespace']
const nameLabel = 'kubernetes.io/metadata.name'
const everyProtocol = ['TCP', 'UDP', 'SCTP']

class Refusal extends Error {
  readonly found: Inexpressible
  constructor(member: string, reason: string) {
    super(`${member}: ${reason}`)
    this.found = { member, reason }
  }
}

/**
 * The `spec` of a NetworkPolicy that opens what the `spec` of a CiliumNetworkPolicy (`cilium.io/v2`) opens, or the member that
 * a NetworkPolicy of Bey cannot say. The way back from `ciliumSpec`.
 */
export function ciliumAsStandard(spec: Spec): Spec | Inexpressible {
  try {
    onlyMembers(spec, '', ['endpointSelector', 'ingress', 'egress', 'description'])
    return {
      podSelector: spec['endpointSelector'] ?? {},
      policyTypes: [
        ...(spec['ingress'] === undefined ? [] : ['Ingress']),
        ...(spec['egress'] === undefined ? [] : ['Egress']),
      ],
      ingress: entriesOf(spec['ingress'], 'ingress', 'from'),
      egress: entriesOf(spec['egress'], 'egress', 'to'),
    }
  } catch (error) {
    if (error instanceof Refusal) return error.found
    throw error
  }
}

function entriesOf(given: unknown, at: string, side: 'from' | 'to'): Spec[] {
  return listOf(given, at).flatMap((rule, nth) =>
    entryOf(objectOf(rule, `${at}[${nth}]`), `${at}[${nth}]`, side),
  )
}

function entryOf(rule: Json, at: string, side: 'from' | 'to'): Spec[] {
  const [endpoints, cidrs, entities] = [`${side}Endpoints`, `${side}CIDR`, `${side}Entities`] as const
  onlyMembers(rule, at, [endpoints, cidrs, entities, 'toPorts'])
  const isOpen = rule[entities] !== undefined
  if (isOpen && listOf(rule[entities], `${at}.${entities}`).join() !== 'all') {
    throw new Refusal(`${at}.${entities}`, 'A rule knows no entities of Cilium but all.')
  }
  const peers = [
    ...listOf(rule[endpoints], `${at}.${endpoints}`).map((each, nth) =>
      peerOf(objectOf(each, `${at}.${endpoints}[${nth}]`), `${at}.${endpoints}[${nth}]`),
    ),
    ...listOf(rule[cidrs], `${at}.${cidrs}`).map((cidr) => ({ ipBlock: { cidr } })),
  ]
  const hasPeers = rule[endpoints] !== undefined || rule[cidrs] !== undefined
  const ports = listOf(rule['toPorts'], `${at}.toPorts`).flatMap((each, nth) =>
    portsOf(objectOf(each, `${at}.toPorts[${nth}]`), `${at}.toPorts[${nth}]`),
  )
  // A rule that says nothing isolates and opens nothing; so does an empty list of peers.
  if (!isOpen && (hasPeers ? peers.length === 0 : ports.length === 0)) return []
  return [{ ...(!isOpen && hasPeers && { [side]: peers }), ...(ports.length > 0 && { ports }) }]
}

function peerOf(selector: Json, at: string): Json {
  onlyMembers(selector, at, ['matchLabels', 'matchExpressions'])
  const labels = objectOf(selector['matchLabels'] ?? {}, `${at}.matchLabels`)
  const isOfNamespace = ([key]: readonly [string, unknown]) => namespaceKeys.includes(key)
  const all = Object.entries(labels)
  const podSelector = { matchLabels: Object.fromEntries(all.filter((each) => !isOfNamespace(each))) }
  const [expression, ...others] = listOf(selector['matchExpressions'], `${at}.matchExpressions`)
  const own = all.find(isOfNamespace)
  if (own !== undefined) {
    if (expression !== undefined) throw onlyByValue(at)
    return { podSelector, namespaceSelector: { matchLabels: { [nameLabel]: own[1] } } }
  }
  // Without a namespace it means pods of the namespace of the policy.
  if (expression === undefined) return { podSelector }
  const { key, operator, values } = objectOf(expression, `${at}.matchExpressions[0]`)
  if (others.length > 0 || !namespaceKeys.includes(String(key)) || operator !== 'In') throw onlyByValue(at)
  return { podSelector, namespaceSelector: { matchExpressions: [{ key: nameLabel, operator, values }] } }
}

const onlyByValue = (at: string) =>
  new Refusal(
    `${at}.matchExpressions`,
    'Pods are chosen by labels with their values, and namespaces by their names.',
  )

function portsOf(group: Json, at: string): Json[] {
  onlyMembers(group, at, ['ports'])
  return listOf(group['ports'], `${at}.ports`).flatMap((given, nth) => {
    const place = `${at}.ports[${nth}]`
    const one = objectOf(given, place)
    onlyMembers(one, place, ['port', 'endPort', 'protocol'])
    const { protocol = 'ANY', endPort, port: named = '0' } = one
    if (typeof named !== 'string' && typeof named !== 'number') {
      throw new Refusal(`${place}.port`, 'It is neither a number nor the name of a port.')
    }
    const text = String(named)
    const port = /^\d+$/.test(text) ? Number(text) : text
    return (protocol === 'ANY' ? everyProtocol : [protocol]).map((each) => ({
      protocol: each,
      ...(port !== 0 && { port }),
      ...(endPort !== undefined && { endPort }),
    }))
  })
}

function onlyMembers(object: Json, at: string, known: readonly string[]): void {
  const other = Object.keys(object).find((key) => !known.includes(key) && object[key] !== undefined)
  if (other === undefined) return
  throw new Refusal(at === '' ? other : `${at}.${other}`, 'Rules of security groups know no such member.')
}

function objectOf(given: unknown, at: string): Json {
  // Neither a list nor a text: what is read of it is checked member by member.
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Json
  throw new Refusal(at, 'It is not an object.')
}

function listOf(given: unknown, at: string): unknown[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given
  throw new Refusal(at, 'It is not a list.')
}
