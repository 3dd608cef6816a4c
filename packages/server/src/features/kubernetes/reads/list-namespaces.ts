import type { CallOutput, ParsedInput } from '@bey/contract'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import { byText } from '../watch/table.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { patienceOf, placeOf, rowMatcher } from './list-filters.ts'
import { namespaceOrders } from './orders.ts'
import { pageOf } from './page.ts'
import { notLookedAt } from './rows.ts'

/** Namespaces with how many pods each holds. */
export async function listNamespaces(
  reading: ClusterReading,
  of: ClusterOf,
  query: ParsedInput<'kubernetes.namespaces'>['query'],
): Promise<CallOutput<'kubernetes.namespaces'>> {
  const { cached, assessment, state } = await reading.readPart(
    await reading.running(of),
    ['namespaces', 'pods'],
    patienceOf(query),
  )
  const pods = new Map<string, number>()
  for (const { namespace } of cached.table('pods').values())
    pods.set(namespace, (pods.get(namespace) ?? 0) + 1)
  const all = knownNamespaces(cached).map(({ uid, name, phase, createdAt }) => {
    const health = assessment.namespaces.get(name) ?? notLookedAt
    return { uid, name, phase, health, podCount: pods.get(name) ?? 0, createdAt }
  })
  all.sort((a, b) => namespaceOrders[query.sort](a, b) || byText(a.name, b.name))
  const { rows, total } = pageOf(all, query, rowMatcher(query))
  return { namespaces: rows, total, ...placeOf(query), ...state }
}

/** Where the cluster does not let Bey list namespaces, those that are known by what is in them. */
export function knownNamespaces(cached: ClusterCache) {
  const listed = [...cached.table('namespaces').values()]
  const isForbidden = cached.failures(['namespaces']).some(({ isRefused }) => isRefused)
  if (!isForbidden) return listed
  const names = new Set([...cached.table('pods').values()].map(({ namespace }) => namespace))
  return [...names].map((name) => ({ uid: name, name, phase: 'Unknown', createdAt: null }))
}
