import type { EventGroup } from '@bey/contract'
import type { ClusterAssessment } from '../health/assessor.ts'
import { eventRow } from '../reads/rows.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { EventEntry } from '../watch/entries.ts'
import { byText } from '../watch/table.ts'
import { ownedBy } from './owned.ts'

interface Subject {
  kind: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

const spanCount = 30
const windowMs = 3_600_000
const maxEvents = 20

/**
 * Events about an object and what belongs to it: of a namespace everything in it, of a node its pods, of a workload what
 * it owns.
 */
export function eventsOfOwned(
  subject: Subject,
  cache: ClusterCache,
  assessment: ClusterAssessment,
): EventEntry[] {
  const isWanted = matcherOf(subject, cache, assessment)
  return [...cache.table('events').values()].filter(isWanted)
}

function matcherOf(
  { kind, namespace, name }: Subject,
  cache: ClusterCache,
  assessment: ClusterAssessment,
): (event: EventEntry) => boolean {
  const own = `${kind}/${name}`
  if (kind === 'Namespace') return (event) => event.namespace === name || event.object === own
  if (kind === 'Node') {
    const pods = new Set<string>()
    for (const pod of cache.table('pods').values())
      if (pod.node === name) pods.add(`${pod.namespace} Pod/${pod.name}`)
    return (event) => event.object === own || pods.has(`${event.namespace} ${event.object}`)
  }
  // Events of what belongs to no namespace are kept in one.
  if (namespace === '') return (event) => event.object === own
  const owned = ownedBy({ kind, namespace, name }, cache, assessment)
  const wanted = new Set([own, ...owned.map((each) => `${each.kind}/${each.name}`)])
  return (event) => event.namespace === namespace && wanted.has(event.object)
}

/** Groups by type and reason, warnings first, then the latest. `nowMs` ends the last span of the hour. */
export function groupEvents(events: readonly EventEntry[], nowMs: number): EventGroup[] {
  const groups = Map.groupBy(events, ({ type, reason }) => `${type} ${reason}`)
  return [...groups.values()]
    .map((found) => groupOf(found, nowMs))
    .toSorted(
      (a, b) =>
        Number(b.type === 'Warning') - Number(a.type === 'Warning') ||
        byText(b.lastSeenAt, a.lastSeenAt) ||
        byText(a.reason, b.reason),
    )
}

function groupOf(events: readonly EventEntry[], nowMs: number): EventGroup {
  const sorted = events.toSorted((a, b) => byText(b.lastSeenAt, a.lastSeenAt) || byText(a.name, b.name))
  const firsts = sorted.flatMap(({ firstSeenAt }) => firstSeenAt ?? []).toSorted()
  return {
    type: sorted[0]?.type ?? '',
    reason: sorted[0]?.reason ?? '',
    count: sorted.reduce((sum, { count }) => sum + count, 0),
    objects: new Set(sorted.map(({ namespace, object }) => `${namespace} ${object}`)).size,
    firstSeenAt: firsts[0] ?? null,
    lastSeenAt: sorted[0]?.lastSeenAt ?? null,
    spans: spansOf(sorted, nowMs),
    events: sorted.slice(0, maxEvents).map(eventRow),
  }
}

function spansOf(events: readonly EventEntry[], nowMs: number): number[] {
  const spans = Array.from({ length: spanCount }, () => 0)
  const add = (atMs: number, amount: number) => {
    const index = Math.floor(((atMs - (nowMs - windowMs)) / windowMs) * spanCount)
    // The clock of the cluster may be ahead of ours.
    const within = Math.min(index, spanCount - 1)
    if (within >= 0) spans[within] = (spans[within] ?? 0) + amount
  }
  for (const { count, firstSeenAt, lastSeenAt } of events) {
    if (lastSeenAt === null) continue
    const lastMs = Date.parse(lastSeenAt)
    const firstMs = firstSeenAt === null ? lastMs : Date.parse(firstSeenAt)
    add(lastMs, 1)
    if (count < 2) continue
    add(firstMs, 1)
    const between = spanCount * Math.max(1, Math.ceil((lastMs - firstMs) / windowMs))
    for (let step = 0; step < between; step++)
      add(firstMs + ((step + 0.5) / between) * (lastMs - firstMs), (count - 2) / between)
  }
  return spans.map((value) => Math.round(value * 100) / 100)
}
