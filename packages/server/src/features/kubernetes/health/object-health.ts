import type { Health } from '@bey/contract'
import type { ClusterAssessment } from './assessor.ts'

/** The health of one object as its list shows it; null for kinds that do not run. */
export function healthOfObject(
  assessment: ClusterAssessment,
  { kind, namespace, name }: { kind: string; namespace: string; name: string },
): Health | null {
  const isIt = (each: { namespace: string; name: string }) =>
    each.namespace === namespace && each.name === name
  if (kind === 'Pod') return firstOf(assessment.pods, isIt)
  if (kind === 'Node') return firstOf(assessment.nodes, isIt)
  if (kind === 'PersistentVolumeClaim') return firstOf(assessment.claims, isIt)
  if (kind === 'Namespace') return assessment.namespaces.get(name) ?? null
  return assessment.workloads.find((each) => each.kind === kind && isIt(each))?.verdict.health ?? null
}

function firstOf<E extends { namespace: string; name: string }>(
  all: ReadonlyMap<E, Health>,
  isIt: (each: E) => boolean,
): Health | null {
  for (const [each, health] of all) if (isIt(each)) return health
  return null
}
