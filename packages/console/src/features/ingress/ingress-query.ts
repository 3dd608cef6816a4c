import { healthOf } from '../../entities/health/health-select.tsx'
import { askedCluster } from '../../entities/kubernetes/cluster-filters.tsx'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, tableControls } from '../../lib/list-location.ts'

/** Time alone makes a certificate end, and a load balancer late: no event says so. */
export const ingressRefreshMs = 20_000

/** The query of a list of this service for its address. */
export function ingressQuery<const S extends string>(listLocation: ListLocation, sorts: readonly S[]) {
  const { search } = listLocation
  const cluster = askedCluster(listLocation)
  const health = healthOf(listLocation)
  return {
    ...listQuery(search, sorts),
    ...(search.namespace && { namespace: search.namespace }),
    ...(cluster !== undefined && { cluster }),
    ...(health && { health }),
  }
}

/** How its table is sorted and narrowed. */
export function ingressControls<const S extends string>(
  listLocation: ListLocation,
  query: { sort?: S; order?: 'asc' | 'desc' },
  usual: S,
) {
  const { q, cluster, namespace, health } = listLocation.search
  return tableControls(listLocation, query, { key: usual, direction: 'asc' }, [q, cluster, namespace, health])
}

/** The address of the same list with a row open, or closed again where it is open. */
export function toggledHref(path: string, listLocation: ListLocation, key: string): string {
  const { peek, ...search } = listLocation.search
  const words = Object.entries(search).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams([...words, ...(peek === key ? [] : [['peek', key]])])
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
