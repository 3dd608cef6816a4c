import type { GroupSurroundings } from '@bey/contract/networks/security-group-rules'
import type { Network, SecurityGroup } from '../../../data/networks.ts'

/** What of a network its groups are checked against. */
export function surroundingsOf(
  { subnets, sets, attachments }: Network,
  groups: readonly Pick<SecurityGroup, 'id'>[],
): GroupSurroundings {
  const ids = [...new Set(attachments.flatMap(({ clusterId }) => clusterId ?? []))]
  return {
    subnets: subnets.map(({ name }) => name),
    sets: sets.map(({ name }) => name),
    groupIds: groups.map(({ id }) => id),
    attached: ids.map((clusterId) => {
      const own = attachments.filter((each) => each.clusterId === clusterId)
      const isWhole = own.some(({ kind }) => kind === 'cluster')
      return { clusterId, namespaces: isWhole ? null : own.flatMap(({ namespace }) => namespace ?? []) }
    }),
  }
}
