import type { Store } from '../store/store.ts'
import type { Node, Pod } from '../types.ts'
import { misfit } from './node-fit.ts'
import { nodeScore } from './node-score.ts'
import { antiAffinityMisfit, spreadMisfit } from './pod-placement.ts'
import { volumeMisfit, type PodVolumes } from './pod-volumes.ts'
import { podRequests, type NodeUsage } from './requests.ts'
import { isShortOfRoom } from './unschedulable.ts'

/** In large clusters the search ends when so many nodes could take the pod. */
export const enoughCandidates = 50

/** The best node for a pod; without one, how many nodes refuse it for which reason. */
export type NodeSearch = {
  best: Node | undefined
  reasons: ReadonlyMap<string, number>
  /** Where others would have to make room, and nothing else is in the way. */
  crowded: readonly Node[]
}

/** Searches all nodes from the index `start` on, around the end of the list. */
export function findNode(
  store: Store,
  usage: NodeUsage,
  pod: Pod,
  storage: PodVolumes,
  all: readonly Node[],
  start: number,
): NodeSearch {
  const requests = podRequests(pod.spec)
  const reasons = new Map<string, number>()
  const crowded: Node[] = []
  let best: { node: Node; points: number } | undefined
  let found = 0
  for (let i = 0; i < all.length && found < enoughCandidates; i++) {
    const node = all[(start + i) % all.length]
    if (!node) continue
    const reason =
      misfit(pod, node, requests, usage) ??
      antiAffinityMisfit(store, pod, node) ??
      spreadMisfit(store, pod, node, all) ??
      volumeMisfit(store, storage, node)
    if (reason) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      if (isShortOfRoom(reason)) crowded.push(node)
      continue
    }
    found += 1
    const points = nodeScore(store, usage, pod, node)
    if (!best || points > best.points) best = { node, points }
  }
  return { best: best?.node, reasons, crowded }
}
