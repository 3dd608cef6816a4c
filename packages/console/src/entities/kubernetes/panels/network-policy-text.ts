import type { Fields } from './fields.ts'
import { at, items, text, texts } from './fields.ts'
import { selectorText } from './selector-text.ts'

/** What a network policy allows, one sentence a rule (Kubernetes API reference, NetworkPolicy v1). */
export function networkPolicySentences(policy: Fields): readonly string[] {
  const spec = at(policy, 'spec')
  const egress = items(at(spec, 'egress'))
  const types = texts(at(spec, 'policyTypes'))
  const effective = types.length > 0 ? types : ['Ingress', ...(egress.length > 0 ? ['Egress'] : [])]
  const selected = selectorText(at(spec, 'podSelector'))
  const pods = selected === null ? 'All pods of the namespace' : `Pods with ${selected}`
  return [
    ...(effective.includes('Ingress') ? sentences(pods, 'in', items(at(spec, 'ingress'))) : []),
    ...(effective.includes('Egress') ? sentences(pods, 'out', egress) : []),
  ]
}

function sentences(pods: string, direction: 'in' | 'out', rules: readonly Fields[]): readonly string[] {
  const verb = direction === 'in' ? 'accept connections from' : 'may connect to'
  if (rules.length === 0) {
    return [`${pods} ${direction === 'in' ? 'accept no connections' : 'may connect to nothing'}.`]
  }
  return rules.map((rule) => {
    const peers = items(rule[direction === 'in' ? 'from' : 'to']).map(peerText)
    const ports = items(rule['ports']).map(portText)
    const whom = peers.length > 0 ? peers.join(', or ') : direction === 'in' ? 'everywhere' : 'everything'
    return `${pods} ${verb} ${whom}${ports.length > 0 ? ` on ${ports.join(', ')}` : ''}.`
  })
}

function peerText(peer: Fields): string {
  const cidr = text(at(peer, 'ipBlock', 'cidr'))
  if (cidr !== null) {
    const except = texts(at(peer, 'ipBlock', 'except'))
    return `${cidr}${except.length > 0 ? ` except ${except.join(', ')}` : ''}`
  }
  const labels = selectorText(peer['podSelector'])
  const pods = labels === null ? 'all pods' : `pods with ${labels}`
  if (peer['namespaceSelector'] === undefined) return `${pods} of this namespace`
  const namespaces = selectorText(peer['namespaceSelector'])
  return `${pods} of ${namespaces === null ? 'every namespace' : `namespaces with ${namespaces}`}`
}

function portText(port: Fields): string {
  const protocol = text(port['protocol']) ?? 'TCP'
  const from = text(port['port'])
  const end = text(port['endPort'])
  if (from === null) return `every ${protocol} port`
  return `${end === null ? 'port' : 'ports'} ${from}${end === null ? '' : `–${end}`}/${protocol}`
}
