import type { Person } from './act.ts'
import type { Db } from './db/database.ts'

/** A cluster of a demo. `mood` says what is to be seen there. */
export type DemoCluster = {
  id: number
  title: string
  mood: 'healthy' | 'rollout' | 'incident'
  provider: string
  region: string
  labels: Readonly<Record<string, string>>
  nodeGroups: readonly { name: string; count: number; cpuCores: number; memoryBytes: number }[]
  workloads: readonly DemoWorkload[]
  scalings: readonly DemoScaling[]
}

/** A workload of a demo cluster, with what all of its pods request. */
export type DemoWorkload = {
  namespace: string
  kind: 'Deployment' | 'StatefulSet'
  name: string
  cores: number
  gib: number
}

/** A change of the number of nodes of a group in the past. */
export type DemoScaling = { at: Date; by: DemoPersonKey; group: string; from: number; to: number }

/** Since when the clusters of a demo are there: long enough for the whole month before. */
export const demoClusterAgeMs = 75 * 86_400_000

/** What the parts of a demo agree on. */
export type DemoScene = {
  organizationId: number
  /** The visitor, who owns the demo. */
  owner: Person
  /** Invented colleagues, by the key that parts name them with. */
  people: Readonly<Record<DemoPersonKey, Person>>
  clusters: readonly DemoCluster[]
  /** When the demo is made; its history ends here. */
  now: Date
  /** When the incident began. */
  incidentAt: Date
  /** From 0 to 1, the same sequence for each demo. */
  random(): number
}

export type DemoPersonKey = 'teo' | 'kaya' | 'noor' | 'mara' | 'ines'

/** What a feature adds to a demo, inside the transaction that makes it. Seeded rows say that they are. */
export type DemoPart = (db: Db, scene: DemoScene) => Promise<void>

/** A demo as it goes on after it was made. */
export type LivingDemo = {
  organizationId: number
  /** Nobody looks at it, so that nothing of it should run. */
  isAsleep: boolean
  /** Its clusters answer. */
  isReady: boolean
}

/** What of a feature runs in demos beside their clusters. */
export type DemoLife = {
  /** Asked every few seconds, also after a restart: begins what is missing, works a little, stops while it sleeps. */
  tend(demo: LivingDemo): Promise<void>
  /** Stops processes and removes files; the rows are deleted afterwards. */
  end(organizationId: number): Promise<void>
}

/** In the details of everything that was invented, so that no export takes it for a fact. */
export const seededMark = { seeded: true } as const

/** A small generator of repeatable numbers (mulberry32, public domain). */
export function repeatableRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
