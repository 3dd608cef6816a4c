import { type AddressClaim, networkProblems } from '@bey/contract/networks/rules'

import type { AttachmentRow } from './attachment-rows.ts'
import type { NetworkRow } from './store.ts'

/** What collides with a network since it was made: a cluster that was imported later, for one; undefined for nothing. */
export function lateProblem(
  row: Pick<NetworkRow, 'id' | 'cidr' | 'cidr6'>,
  attached: readonly Pick<AttachmentRow, 'clusterId'>[],
  claims: readonly AddressClaim[],
): string | undefined {
  const clusterIds = attached.flatMap(({ clusterId }) => clusterId ?? [])
  const others = claims.filter(({ networkId }) => networkId !== row.id)
  return networkProblems({ cidr: row.cidr, cidr6: row.cidr6, subnets: [], sets: [], clusterIds }, others)[0]
    ?.message
}
