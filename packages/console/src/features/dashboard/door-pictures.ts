import type { DrawnNode } from '../../ui/node-picture.tsx'

/** A shape that looks like work: repeatable, and never the same twice in a row. */
function pods(seed: number, count: number, failing: readonly number[] = []) {
  return Array.from({ length: count }, (_, index) => ({
    state: failing.includes(index) ? 'failing' : 'healthy',
    cpu: 0.25 + (((seed * 7 + index * 13) % 11) / 11) * 0.6,
    memory: null,
  }))
}

const working = (seed: number, count: number, failing: readonly number[] = []): DrawnNode => ({
  kind: 'working',
  pods: pods(seed, count, failing),
  used: 0.35 + ((seed * 3) % 5) / 20,
  requested: 0.65 + ((seed * 2) % 4) / 20,
})

export const incidentPicture: readonly DrawnNode[] = [
  working(1, 20),
  working(2, 22, [6, 7, 13]),
  working(3, 19, [8]),
  working(4, 23),
  working(5, 21, [5, 6]),
  working(6, 20, [15]),
  working(7, 22),
  working(8, 18, [9, 10]),
  working(9, 21, [4, 5]),
]

export const startingPicture: readonly DrawnNode[] = [
  { kind: 'starting', stages: 4, pods: pods(1, 11) },
  { kind: 'starting', stages: 4, pods: pods(2, 8) },
  { kind: 'starting', stages: 4, pods: pods(3, 7) },
  { kind: 'starting', stages: 4, pods: pods(4, 5) },
  { kind: 'starting', stages: 4, pods: pods(5, 3) },
  { kind: 'starting', stages: 3, pods: [] },
  { kind: 'starting', stages: 2, pods: [] },
  { kind: 'starting', stages: 1, pods: [] },
  { kind: 'starting', stages: 0, pods: [] },
]

export const ownPicture: readonly DrawnNode[] = Array.from({ length: 9 }, () => ({ kind: 'absent' }))
