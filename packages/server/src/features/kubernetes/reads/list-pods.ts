import type { CallOutput, ParsedInput } from '@bey/contract'
import type { ClusterAssessment } from '../health/assessor.ts'
import type { PodEntry } from '../watch/entries.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { byText } from '../watch/table.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { patienceOf, placeOf, unreadCount } from './list-filters.ts'
import { byHealth, podOrders } from './orders.ts'
import { nameMatcher, pageOf } from './page.ts'
import { podRow } from './rows.ts'

/** Pods by what their own fields and their health are asked to be. */
export async function listPods(
  reading: ClusterReading,
  of: ClusterOf,
  query: ParsedInput<'kubernetes.pods'>['query'],
): Promise<CallOutput<'kubernetes.pods'>> {
  const { cached, assessment, state } = await reading.readPart(
    await reading.running(of),
    ['pods'],
    patienceOf(query),
  )
  const { namespace, phase, node, health, sort } = query
  const isNamed = nameMatcher(query.search)
  const isLabelled = labelMatcher(query.labels)
  const isWanted = (pod: PodEntry) => {
    if (namespace !== undefined && pod.namespace !== namespace) return false
    if (phase !== undefined && pod.phase !== phase) return false
    if (node !== undefined && pod.node !== node) return false
    if (health !== undefined && assessment.pods.get(pod)?.state !== health) return false
    return isNamed(pod) && isLabelled(pod)
  }
  // Time alone changes health, so that no order by it can be kept.
  const sorted =
    sort === 'health' ? podsByHealth(assessment) : cached.table('pods').sorted(sort, podOrders[sort])
  const { rows, total } = pageOf(sorted, query, isWanted)
  return {
    pods: rows.map((pod) => podRow(pod, assessment.pods.get(pod))),
    total: total + unreadCount(cached, 'pods', query),
    ...placeOf(query),
    ...state,
  }
}

function podsByHealth(assessment: ClusterAssessment): PodEntry[] {
  return [...assessment.pods]
    .map(([pod, health]) => ({ pod, health }))
    .sort(
      (a, b) => byHealth(a, b) || byText(a.pod.namespace, b.pod.namespace) || byText(a.pod.name, b.pod.name),
    )
    .map(({ pod }) => pod)
}
