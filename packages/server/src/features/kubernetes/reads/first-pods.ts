import type { CallOutput, ParsedInput } from '@bey/contract'
import { podHealth } from '../health/pod-health.ts'
import { about } from '../health/verdict.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { FirstPage } from '../watch/kind-cache.ts'
import { podOrders } from './orders.ts'
import { podRow } from './rows.ts'

type PodQuery = ParsedInput<'kubernetes.pods'>['query']

/** The beginning answers only who wants the beginning: in the order in which clusters list, and without a filter. */
export function isFirstPageWanted(query: PodQuery): boolean {
  const { page, order, sort, search, labels, namespace, phase, node, health } = query
  const isFiltered = [search, labels, namespace, phase, node, health].some((each) => each !== undefined)
  return page === 1 && order !== 'desc' && (sort === 'name' || sort === 'namespace') && !isFiltered
}

/** The first pods of a cluster whose list is still being read. Nodes are not known yet: each counts as ready. */
export function firstPods(
  { entries, total }: FirstPage<PodEntry>,
  { page, limit, sort }: PodQuery,
  now: Date,
): CallOutput<'kubernetes.pods'> {
  const sorted = sort === 'name' ? entries.toSorted(podOrders.name) : entries
  const pods = sorted.slice(0, limit).map((pod) => {
    const object = { kind: 'Pod', namespace: pod.namespace, name: pod.name }
    return podRow(pod, about(object, podHealth(pod.facts, true, now.getTime())).health)
  })
  return { pods, total, page, limit, isPartial: true, asOf: now.toISOString(), isLive: false }
}
