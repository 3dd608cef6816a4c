import type { Condition } from './workload-health.ts'
import type { Verdict } from './verdict.ts'
import { fine, never, verdict } from './verdict.ts'

export type NodeFacts = { isSchedulable: boolean; createdAtMs: number | null; conditions: Condition[] }

/** How long a new machine may take until it is ready. */
const joinGraceMs = 3 * 60_000

const pressures: Readonly<Record<string, string>> = {
  MemoryPressure: 'it runs out of memory',
  DiskPressure: 'its disk is almost full',
  PIDPressure: 'it runs out of process ids',
  NetworkUnavailable: 'its network is not set up',
}

/** Pure: a node, from its conditions. One that is cordoned works, but takes no new pods. */
export function nodeHealth(node: NodeFacts, nowMs: number): Verdict {
  const ready = node.conditions.find(({ type }) => type === 'Ready')
  if (!ready?.isTrue) {
    const endMs = (node.createdAtMs ?? 0) + joinGraceMs
    // Whoever stopped reporting has joined before, however new it is.
    const isSilent = ready?.reason === 'NodeStatusUnknown'
    if (nowMs < endMs && !isSilent)
      return verdict('starting', 'NotReady', 'it is joining', node.createdAtMs, endMs)
    const detail = isSilent ? 'it stopped reporting' : ready?.message || 'it reports nothing'
    return verdict('failing', 'NotReady', detail, ready?.sinceMs ?? node.createdAtMs, never)
  }
  for (const [type, meaning] of Object.entries(pressures)) {
    const found = node.conditions.find((condition) => condition.type === type)
    if (found?.isTrue) return verdict('degraded', type, meaning, found.sinceMs)
  }
  if (!node.isSchedulable) return verdict('degraded', 'Cordoned', 'it takes no new pods')
  return fine
}
