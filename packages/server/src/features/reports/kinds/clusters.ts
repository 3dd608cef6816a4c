import type { HandlerOutput } from '@bey/contract'
import type { Material } from '../draft.ts'
import { readAll } from '../reads.ts'

export type Cluster = HandlerOutput<'clusters.list'>['clusters'][number]

const maxClusters = 500

/** The clusters that a report covers. A chosen one that is gone, and one that does not answer, is named as missing. */
export async function readClusters(
  { read, parameters: { clusterIds } }: Material,
  missing: (sentence: string) => void,
): Promise<Cluster[]> {
  const { rows } = await readAll(maxClusters, async (page) => {
    const { clusters, total } = await read('clusters.list', { query: { ...page, sort: 'title' } })
    return { rows: clusters, total }
  })
  for (const id of clusterIds) {
    if (!rows.some((cluster) => cluster.id === id)) missing(`Cluster ${id} was deleted; it is left out.`)
  }
  const covered = clusterIds.length === 0 ? rows : rows.filter(({ id }) => clusterIds.includes(id))
  for (const { title, health } of covered) {
    if (health.state === 'unknown')
      missing(`Cluster "${title}" did not answer; its last known figures are used.`)
  }
  return covered
}
