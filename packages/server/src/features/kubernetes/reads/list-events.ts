import type { CallOutput, ParsedInput } from '@bey/contract'
import type { KindName } from '../watch/kinds.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { patienceOf, placeOf, unreadCount } from './list-filters.ts'
import { eventOrder } from './orders.ts'
import { pageOf } from './page.ts'
import { eventRow } from './rows.ts'

const kinds: readonly KindName[] = ['events']

/** Events, the newest first unless asked otherwise. */
export async function listEvents(
  { reading, cache }: { reading: ClusterReading; cache: WatchCache },
  of: ClusterOf,
  query: ParsedInput<'kubernetes.events'>['query'],
): Promise<CallOutput<'kubernetes.events'>> {
  const cached = await cache.readPart(await reading.running(of), kinds, patienceOf(query))
  const { namespace, type } = query
  const text = query.search?.toLowerCase()
  // People look for what happened to an object; an event's own name means nothing to them.
  const isNamed = (...texts: string[]) => !text || texts.some((each) => each.toLowerCase().includes(text))
  const { rows, total } = pageOf(
    cached.table('events').sorted('newest', eventOrder),
    { ...query, order: query.order === 'asc' ? 'desc' : 'asc' },
    (event) =>
      (namespace === undefined || event.namespace === namespace) &&
      (type === undefined || event.type === type) &&
      isNamed(event.object, event.reason, event.message),
  )
  return {
    events: rows.map(eventRow),
    total: total + unreadCount(cached, 'events', query),
    ...placeOf(query),
    isPartial: cached.isPartial(kinds),
    ...cached.freshness(kinds),
  }
}
