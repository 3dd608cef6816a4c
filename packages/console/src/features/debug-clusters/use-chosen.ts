import type { Cluster } from '@bey/contract'
import { useState } from 'react'

/**
 * The cluster that is looked at: the wanted one, else the first of the list. A cluster that was deleted meanwhile
 * stays until another one is chosen, so that its end can be read.
 */
export function useChosen(clusters: readonly Cluster[] | undefined, wantedId: number) {
  const [last, setLast] = useState<{ wantedId: number; cluster: Cluster }>()
  const lastId = last && Object.is(last.wantedId, wantedId) ? last.cluster.id : undefined
  const listed =
    clusters?.find(({ id }) => id === (lastId ?? wantedId)) ??
    (lastId === undefined ? clusters?.[0] : undefined)
  if (listed && listed !== last?.cluster) setLast({ wantedId, cluster: listed })
  const isDeleted = clusters !== undefined && listed === undefined && lastId !== undefined
  return { chosen: listed ?? (isDeleted ? last?.cluster : undefined), isDeleted }
}
