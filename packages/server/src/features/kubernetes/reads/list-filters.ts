import type { Health, HealthState } from '@bey/contract'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'
import { nameMatcher } from './page.ts'

/** Who filters, and may look for what has not been read yet, waits so long for the whole before a part is shown. */
const filteredPatienceMs = 1_000

type Filters = Partial<
  Record<
    'search' | 'namespace' | 'labels' | 'phase' | 'node' | 'health' | 'type' | 'kind',
    string | undefined
  >
>

function isFiltered({ search, namespace, labels, phase, node, health, type, kind }: Filters): boolean {
  return [search, namespace, labels, phase, node, health, type, kind].some((each) => each !== undefined)
}

/** How long a list waits for the whole of it, milliseconds. */
export const patienceOf = (query: Filters) => (isFiltered(query) ? filteredPatienceMs : 0)

/** Objects of an unfiltered list that are still to be read; how many of them a filter would leave is not known. */
export function unreadCount(cached: ClusterCache, kind: KindName, query: Filters): number {
  return isFiltered(query) ? 0 : cached.remaining(kind)
}

/** Rows whose name and health are asked for. */
export function rowMatcher({
  search,
  health,
}: {
  search?: string | undefined
  health?: HealthState | undefined
}) {
  const isNamed = nameMatcher(search)
  return (row: { name: string; health: Health }) =>
    (health === undefined || row.health.state === health) && isNamed(row)
}

/** Which page was asked for, as a list says it. */
export const placeOf = ({ page, limit }: { page: number; limit: number }) => ({ page, limit })
