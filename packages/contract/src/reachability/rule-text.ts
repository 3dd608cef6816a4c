import { isEmptySelector, selectorText, type LabelSelector } from './label-selector.ts'
import type { StandardPeer } from './policy.ts'
import type { PortTest } from './rule.ts'

/** `pods app=web of namespaces team=shop`. */
export function selectedText(pods: LabelSelector, namespaces: LabelSelector | string | undefined): string {
  const who = isEmptySelector(pods) ? 'all pods' : `pods ${selectorText(pods)}`
  if (typeof namespaces === 'string') return `${who} of ${namespaces}`
  if (namespaces === undefined || isEmptySelector(namespaces)) return `${who} of all namespaces`
  const names = namesOf(namespaces)
  if (names === undefined) return `${who} of namespaces ${selectorText(namespaces)}`
  return `${who} of ${names.length === 1 ? 'the namespace' : 'the namespaces'} ${names.join(', ')}`
}

const nameLabel = 'kubernetes.io/metadata.name'

/** The namespaces that a selector chooses by nothing but their names; undefined where it asks for other labels. */
function namesOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): readonly string[] | undefined {
  const labels = Object.entries(matchLabels)
  if (labels.length + matchExpressions.length !== 1) return undefined
  const [label] = labels
  if (label !== undefined) return label[0] === nameLabel ? [label[1]] : undefined
  const [only] = matchExpressions
  return only?.key === nameLabel && only.operator === 'In' && only.values?.length ? only.values : undefined
}

export function standardPeerText(
  { podSelector, namespaceSelector, ipBlock }: StandardPeer,
  own: string,
): string {
  if (ipBlock) {
    const { cidr, except = [] } = ipBlock
    return except.length === 0 ? cidr : `${cidr} except ${except.join(', ')}`
  }
  return selectedText(podSelector ?? {}, namespaceSelector ?? own)
}

export function portText(test: PortTest): string {
  const protocol = test.protocol === undefined ? '' : `${test.protocol} `
  if ('name' in test) return `${protocol}"${test.name}"`
  if (test.from === test.to) return `${protocol}${test.from}`
  if (test.from === 0 && test.to === 65_535) return test.protocol ?? 'all ports'
  return `${protocol}${test.from}–${test.to}`
}

/** Peers and ports of a rule in words; an empty list of peers is none. */
export function ruleText(peers: readonly string[] | 'all', ports: readonly PortTest[] | 'all'): string {
  const who = peers === 'all' ? 'everybody' : peers.length === 0 ? 'nobody' : peers.join('; ')
  return `${who}, ${ports === 'all' ? 'all ports' : ports.map(portText).join(', ')}`
}
