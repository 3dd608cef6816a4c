import { lastEnd, waitsForImage } from './rule.ts'
import type { Condition, Situation } from './situation.ts'

/** What a reader would check next and need not: each text stands only for what was read and found in order. */
export function ruledOut(situation: Situation): string[] {
  const { pod, node } = situation
  if (!pod) return []
  const texts: string[] = []
  if (isInOrder(situation))
    texts.push(`The node ${node?.metadata?.name ?? ''} is ready and under no pressure.`)
  if (wasStarted(situation)) texts.push('The image can be pulled.')
  if (hasAllReferences(situation)) {
    texts.push('Every config map, secret and claim that its containers use exists.')
  }
  if (endedOtherwise(situation)) texts.push('Its last run was not killed for its use of memory.')
  return texts
}

const pressures = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure'])

/** The node of the pod reports its readiness and its pressures, and all of them are good. */
function isInOrder({ pod, node }: Situation): boolean {
  if (!pod?.spec?.nodeName || !node) return false
  const conditions: readonly Condition[] = node.status?.conditions ?? []
  const reported = conditions.filter(({ type }) => pressures.has(type ?? ''))
  return (
    conditions.some(({ type, status }) => type === 'Ready' && status === 'True') &&
    reported.length === pressures.size &&
    reported.every(({ status }) => status === 'False')
  )
}

/** A container that runs or ran has its image; unless it waits for the image again, for its next start. */
function wasStarted(situation: Situation): boolean {
  const status = situation.container?.status
  if (!status || waitsForImage(status)) return false
  return status.state?.running !== undefined || hasKnownEnd(situation)
}

function hasAllReferences({ references, missing }: Situation): boolean {
  return references.areAllRead && references.count > 0 && missing.length === 0
}

/** Exit code 137 without a reason may be the kernel's doing as well: it is left open. */
function endedOtherwise(situation: Situation): boolean {
  const end = lastEnd(situation)
  return hasKnownEnd(situation) && end?.reason !== 'OOMKilled' && end?.exitCode !== 137 && end?.signal !== 9
}

/** The kubelet reports 'ContainerStatusUnknown' for a container that it did not find again. */
function hasKnownEnd(situation: Situation): boolean {
  const end = lastEnd(situation)
  return end?.exitCode !== undefined && end.reason !== 'ContainerStatusUnknown'
}
