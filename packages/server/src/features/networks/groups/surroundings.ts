import { type GivenAttachment } from '@bey/contract'
import { groupProblems, type GroupSurroundings } from '@bey/contract/networks/security-group-rules'
import type { NetworkProblem } from '@bey/contract/networks/rules'

import type { GroupRow } from './group-rows.ts'

/** What of a network its groups are checked against. */
export function surroundingsOf(
  { subnets, sets }: { subnets: readonly { name: string }[]; sets: readonly { name: string }[] },
  attached: readonly GivenAttachment[],
  groups: readonly Pick<GroupRow, 'id'>[],
): GroupSurroundings {
  const ofClusters = attached.filter((each) => each.kind !== 'database')
  return {
    subnets: subnets.map(({ name }) => name),
    sets: sets.map(({ name }) => name),
    groupIds: groups.map(({ id }) => id),
    attached: [...new Set(ofClusters.map(({ clusterId }) => clusterId))].map((clusterId) => {
      const own = ofClusters.filter((each) => each.clusterId === clusterId)
      const isWhole = own.some(({ kind }) => kind === 'cluster')
      const namespaces = own.flatMap((each) => (each.kind === 'namespace' ? each.namespace : []))
      return { clusterId, namespaces: isWhole ? null : namespaces }
    }),
  }
}

/** What a change of a network would break in its groups: a target that is detached, a subnet or set that a rule names. */
export function brokenGroups(
  draft: Parameters<typeof surroundingsOf>[0] & { attachments: readonly GivenAttachment[] },
  groups: readonly GroupRow[],
): NetworkProblem[] {
  const around = surroundingsOf(draft, draft.attachments, groups)
  return groups.flatMap((group) =>
    groupProblems(group, around).map(({ path, message }) => ({
      path: fieldOf(path, group),
      message: `The security group ${group.name} stands against it. ${message}`,
    })),
  )
}

/** The field of the network that a problem of a group is about. */
function fieldOf(path: string, { rules }: GroupRow): string {
  if (path.startsWith('targets')) return 'attachments'
  return rules[Number(path.split('.')[1])]?.peer.kind === 'set' ? 'sets' : 'subnets'
}
