import type { PodEntry } from '../watch/entries.ts'

type CountedPod = Pick<PodEntry, 'uid' | 'restarts'>

/**
 * Counts restarts between two looks at the pods of one cluster. Answers restarts per minute since the look before;
 * undefined at the first one. A pod that is gone takes its restarts with it, and they do not count as negative.
 */
export function createRestartRate(): (pods: Iterable<CountedPod>, atMs: number) => number | undefined {
  let before: { atMs: number; restarts: ReadonlyMap<string, number> } | undefined
  return (pods, atMs) => {
    const restarts = new Map<string, number>()
    let count = 0
    for (const pod of pods) {
      restarts.set(pod.uid, pod.restarts)
      count += Math.max(0, pod.restarts - (before?.restarts.get(pod.uid) ?? 0))
    }
    const elapsedMs = before === undefined ? 0 : atMs - before.atMs
    before = { atMs, restarts }
    return elapsedMs > 0 ? (count * 60_000) / elapsedMs : undefined
  }
}
