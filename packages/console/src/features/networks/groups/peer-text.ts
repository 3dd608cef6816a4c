import { portsText, type RulePeer, type SecurityRule } from '@bey/contract/networks/security-group-rules'
import { labelsText } from './label-text.ts'

type NamedGroup = { id: string; name: string }

/** Whom a rule lets in, or lets one call, in words. */
export function peerText(
  peer: RulePeer,
  groups: readonly NamedGroup[],
  databases: readonly NamedGroup[],
): string {
  switch (peer.kind) {
    case 'anywhere':
      return 'anywhere'
    case 'range':
      return peer.cidr
    case 'subnet':
      return `subnet ${peer.name}`
    case 'set':
      return `set ${peer.name}`
    case 'group':
      return `group ${groups.find(({ id }) => id === peer.groupId)?.name ?? 'that is gone'}`
    case 'namespace':
      return `namespace ${peer.namespace}`
    case 'workload':
      return `${peer.namespace}, ${labelsText(peer.labels) || 'all pods'}`
    case 'database':
      return `database ${databases.find(({ id }) => id === peer.databaseId)?.name ?? peer.databaseId}`
    case 'service':
      return `service ${peer.namespace}/${peer.name}`
  }
}

/** "TCP 443 from group front". */
export function ruleText(
  rule: SecurityRule,
  groups: readonly NamedGroup[],
  databases: readonly NamedGroup[],
): string {
  return `${portsText(rule)} ${rule.direction === 'in' ? 'from' : 'to'} ${peerText(rule.peer, groups, databases)}`
}
