import type { Health } from '@bey/contract'
import type { PodEntry } from '../watch/entries.ts'
import type { ClusterAssessment } from './assessor.ts'
import { podHealth } from './pod-health.ts'
import { about } from './verdict.ts'

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

/**
 * The health of a pod by the object itself, which may be a moment newer than what the watch has brought: its page counts
 * restarts in both.
 */
export function healthOfPod(
  pod: PodEntry,
  { nodes }: Pick<ClusterAssessment, 'nodes'>,
  nowMs: number,
): Health {
  const { name, namespace, node, facts } = pod
  const isNodeSilent = [...nodes.keys()].some((each) => each.name === node && !each.isReady)
  return about({ kind: 'Pod', namespace, name }, podHealth(facts, !isNodeSilent, nowMs)).health
}

function firstOf<E extends { namespace: string; name: string }>(
  all: ReadonlyMap<E, Health>,
  isIt: (each: E) => boolean,
): Health | null {
  for (const [each, health] of all) if (isIt(each)) return health
  return null
}
