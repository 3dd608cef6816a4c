import type { Decision } from './decide.ts'
import { policyText, type Direction, type PolicyRef } from './policy.ts'

const isStandard = ({ kind }: PolicyRef) => kind === 'NetworkPolicy'

/** `shop/default-deny`, with the kind before it where it is not a NetworkPolicy. */
export function policyName(policy: PolicyRef): string {
  return isStandard(policy) ? policyText(policy) : `${policy.kind} ${policyText(policy)}`
}

/** Names of policies, those of the same namespace without it; at most three, and how many more there are. */
export function policyNames(policies: readonly PolicyRef[]): string {
  const names = policies.slice(0, 3).map(policyName)
  const more = policies.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

/** Why a direction of a flow is open or closed. `own` names the pod that is decided about, `other` the other end. */
export function decisionText(
  { because, rule, asked, family }: Decision,
  direction: Direction,
  own: string,
  other: string,
): string {
  const isIn = direction === 'ingress'
  const from = rule && `Rule ${rule.number} of ${policyName(rule.policy)}`
  switch (because) {
    case 'no-plugin':
      return 'No network plug-in of this cluster enforces policies.'
    case 'host-network':
      return `${own} is in the network of its node, where policies do not hold.`
    case 'own-node':
      return `A node always reaches its own pods.`
    case 'no-policy':
      return `No policy ${asked.length === 0 ? 'chooses' : 'closes'} ${own}: everything is let ${isIn ? 'in' : 'out'}.`
    case 'allow-rule':
      return `${from} lets it ${isIn ? 'in' : 'out'}: ${rule?.text}.`
    case 'deny-rule':
      return `${from} denies it: ${rule?.text}.`
    case 'no-rule':
      return asked.length === 1
        ? `${policyNames(asked)} holds here, and none of its rules names ${other}.`
        : `${policyNames(asked)} hold here, and none of their rules names ${other}.`
    case 'seen-as-node':
      return 'The service may hide the address of a client outside the cluster behind that of a node.'
    case 'doubtful-rule':
      return `${from} may ${rule?.action === 'deny' ? 'deny' : 'concern'} it: ${rule?.text}. ${family === undefined ? doubtText(rule) : familyText(family, other)}`
  }
}

/** Of an end with addresses of both families, of which a rule names one. */
const familyText = (family: 4 | 6, other: string) =>
  `It holds for the IPv${family} address of ${other}, and not for that of IPv${family === 4 ? 6 : 4}.`

function doubtText(rule: Decision['rule']): string {
  const peers = rule?.peers === 'all' ? [] : (rule?.peers ?? [])
  const own = rule?.doubt ?? peers.find((peer) => peer.doubt !== undefined)?.doubt
  return own ?? 'Network plug-ins differ in whether it matches.'
}
