import type { CallOutput, ParsedInput } from '@bey/contract'
import { countStates } from '../health/assess.ts'
import { healthKinds } from '../health/health-kinds.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { byText } from '../watch/table.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { patienceOf, placeOf } from './list-filters.ts'
import { workloadOrders } from './orders.ts'
import { nameMatcher, pageOf } from './page.ts'
import { workloadRow } from './rows.ts'

/** What keeps pods running, and how many of those that match are in each state of health. */
export async function listWorkloads(
  reading: ClusterReading,
  of: ClusterOf,
  query: ParsedInput<'kubernetes.workloads'>['query'],
): Promise<CallOutput<'kubernetes.workloads'>> {
  const { cached, assessment, ...list } = await reading.readPart(
    await reading.running(of),
    ['pods'],
    patienceOf(query),
  )
  const isPartial = list.isPartial || cached.isBeingRead(healthKinds)
  const { namespace, kind, health, sort } = query
  const isNamed = nameMatcher(query.search)
  const isLabelled = labelMatcher(query.labels)
  const matching = assessment.workloads
    .filter(
      (each) =>
        // A pod whose owner has not been read yet looks like one that nothing keeps.
        !(isPartial && each.kind === 'Pod') &&
        (namespace === undefined || each.namespace === namespace) &&
        (kind === undefined || each.kind === kind) &&
        isNamed(each) &&
        isLabelled(each),
    )
    .map(workloadRow)
  matching.sort(
    (a, b) => workloadOrders[sort](a, b) || byText(a.namespace, b.namespace) || byText(a.name, b.name),
  )
  const { rows, total } = pageOf(
    matching,
    query,
    (each) => health === undefined || each.health.state === health,
  )
  const counts = countStates(matching.map((each) => each.health))
  return { workloads: rows, total, counts, ...placeOf(query), ...list.state, isPartial }
}
