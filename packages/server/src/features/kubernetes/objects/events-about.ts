import type { EventRow } from '@bey/contract'
import type { ClusterConnection } from '../connection/ports.ts'
import { eventRow } from '../reads/rows.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { EventEntry } from '../watch/entries.ts'
import { eventEntry } from '../watch/entries.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import type { Event, KubeList } from '../watch/kube-types.ts'
import { byText } from '../watch/table.ts'

type Subject = { kind: string; name: string }

const timeoutMs = 10_000
/** Of one object that is asked for by itself. */
const listLimit = 500

/**
 * The latest `max` events about objects of one namespace; an empty `namespace` stands for every one, because events of
 * what belongs to no namespace are kept in one. Comes from the watch cache, or from a list of the objects' own events
 * while the cache still reads all of them. Throws what the cluster's client throws.
 */
export async function eventsAbout(
  { cache, client, connection }: { cache: ClusterCache; client: KubeClient; connection: ClusterConnection },
  { namespace, subjects, max }: { namespace: string; subjects: readonly Subject[]; max: number },
): Promise<EventRow[]> {
  const found = cache.isPartial(['events'])
    ? (await Promise.all(subjects.map((each) => ownEvents(client, connection, namespace, each)))).flat()
    : ofCache(cache, namespace, subjects)
  return found
    .toSorted((a, b) => byText(b.lastSeenAt, a.lastSeenAt) || byText(a.name, b.name))
    .slice(0, max)
    .map(eventRow)
}

function ofCache(cache: ClusterCache, namespace: string, subjects: readonly Subject[]): EventEntry[] {
  const wanted = new Set(subjects.map(({ kind, name }) => `${kind}/${name}`))
  const found: EventEntry[] = []
  for (const event of cache.table('events').values()) {
    if (wanted.has(event.object) && (namespace === '' || event.namespace === namespace)) found.push(event)
  }
  return found
}

async function ownEvents(
  client: KubeClient,
  connection: ClusterConnection,
  namespace: string,
  { kind, name }: Subject,
): Promise<EventEntry[]> {
  const scope = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  const selector = encodeURIComponent(`involvedObject.kind=${kind},involvedObject.name=${name}`)
  const path = `/api/v1${scope}/events?fieldSelector=${selector}&limit=${listLimit}`
  try {
    const list = await client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
    return ((list as KubeList).items ?? []).map((event: Event) => eventEntry(event))
  } catch (error) {
    if (error instanceof KubeError && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}
