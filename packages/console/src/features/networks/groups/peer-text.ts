import type { RulePeer } from '@bey/contract/security-group-rules'
import { labelsText } from './label-text.ts'

/** Whom a rule lets in, or lets one call, in words. */
export function peerText(peer: RulePeer, groups: readonly { id: string; name: string }[]): string {
  switch (peer.kind) {
    case 'anywhere':
      return 'anywhere'
    case 'range':
      return peer.cidr
    case 'subnet':
      return `subnet ${peer.name}`
    case 'group':
      return `group ${groups.find(({ id }) => id === peer.groupId)?.name ?? 'that is gone'}`
    case 'namespace':
      return `namespace ${peer.namespace}`
    case 'workload':
      return `${peer.namespace}, ${labelsText(peer.labels) || 'all pods'}`
  }
}
