import type { PodEntry } from '../watch/entries.ts'

type Look = { atMs: number; restarts: ReadonlyMap<string, number> }
type CountedPod = Pick<PodEntry, 'uid' | 'restarts' | 'createdAt'>

/** Clocks of clusters are this exact at best. */
const clockMs = 60_000

/**
 * Counts restarts between two looks at the pods of one cluster. Answers restarts per minute since the look before;
 * undefined at the first one. A pod that is gone takes its restarts with it, and they do not count as negative; those of an older
 * pod that was not to be seen before, such as one of a namespace that may be read now, were some time ago.
 */
export function createRestartRate(): (pods: Iterable<CountedPod>, atMs: number) => number | undefined {
  let before: Look | undefined
  return (pods, atMs) => {
    const restarts = new Map<string, number>()
    let count = 0
    for (const pod of pods) {
      restarts.set(pod.uid, pod.restarts)
      if (before !== undefined) count += Math.max(0, pod.restarts - restartsBefore(pod, before))
    }
    const elapsedMs = before === undefined ? 0 : atMs - before.atMs
    before = { atMs, restarts }
    return elapsedMs > 0 ? (count * 60_000) / elapsedMs : undefined
  }
}

function restartsBefore({ uid, restarts, createdAt }: CountedPod, before: Look): number {
  const known = before.restarts.get(uid)
  if (known !== undefined) return known
  const isNew = createdAt !== null && Date.parse(createdAt) >= before.atMs - clockMs
  return isNew ? 0 : restarts
}
