import type { WantedAccess } from '../databases/network-access.ts'

/** The databases that a network is to limit, and from where they are to be reached. */
export function accessOf(
  network: {
    id: string
    name: string
    cidr: string
    cidr6: string | null
    isIsolated: boolean
    attached: readonly { databaseId: string | null }[]
  },
  isGone = false,
): WantedAccess {
  const { id, name, cidr, cidr6, isIsolated, attached } = network
  return {
    networkId: id,
    network: name,
    cidrs: isIsolated && !isGone ? [cidr, ...(cidr6 === null ? [] : [cidr6])] : null,
    databaseIds: attached.flatMap(({ databaseId }) => databaseId ?? []),
  }
}
