import type { Relation } from '../packages/contract/src/relations/rules.ts'
import { impactOf } from '../packages/server/src/features/relations/graph/impact.ts'
import { indexRelations } from '../packages/server/src/features/relations/graph/index-relations.ts'
import { neighbours, shortestPath } from '../packages/server/src/features/relations/graph/walk.ts'
import { report } from './figure.ts'
import { median, percentile } from './process-figures.ts'

const size = { resources: 2_000, relations: 50_000 }
const verbs = ['mounts', 'routes_to', 'runs_on', 'owned_by', 'reads_secret', 'connects_to'] as const
const rounds = 50

/** The same numbers in every run. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function timesOf(work: (round: number) => void): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    const startedAt = performance.now()
    work(round)
    return performance.now() - startedAt
  })
}

/** Questions about 2,000 resources with 50,000 relations in cycles of every kind. */
export async function run(): Promise<void> {
  const random = randoms(7)
  const pick = () => `pod:${Math.floor(random() * size.resources)}`
  const relations = Array.from({ length: size.relations }, (): Relation => {
    const verb = verbs[Math.floor(random() * verbs.length)] ?? 'mounts'
    return { from: pick(), to: pick(), verb }
  })
  const indexing = timesOf(() => void indexRelations(relations))
  const index = indexRelations(relations)
  let reached = 0
  const failures = timesOf((round) => {
    reached = Math.max(reached, impactOf(index, `pod:${round}`, 'fails').reached.length)
  })
  const deletions = timesOf((round) => void impactOf(index, `pod:${round}`, 'deleted'))
  const paths = timesOf(
    (round) =>
      void shortestPath(index, `pod:${round}`, `pod:${size.resources - 1 - round}`, {
        direction: 'needs',
        depth: 10,
      }),
  )
  const around = timesOf((round) => void neighbours(index, `pod:${round}`, { direction: 'both', depth: 3 }))
  const detail = `${size.resources} resources, ${size.relations} relations`
  report({ name: 'reading relations from both ends', value: median(indexing), unit: 'ms', detail })
  report({
    name: 'blast radius of a failure, p95',
    value: percentile(failures, 0.95),
    unit: 'ms',
    goal: 100,
    detail: `reaches up to ${reached} resources`,
  })
  report({
    name: 'blast radius of a deletion, p95',
    value: percentile(deletions, 0.95),
    unit: 'ms',
    goal: 100,
  })
  report({ name: 'shortest path, p95', value: percentile(paths, 0.95), unit: 'ms', goal: 50 })
  report({ name: 'neighbours within 3 steps, p95', value: percentile(around, 0.95), unit: 'ms', goal: 50 })
}
