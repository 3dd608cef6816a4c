import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Cause } from '../status-error.ts'
import type { Store } from '../store/store.ts'
import type { KindKey, KubeObject } from '../types.ts'

export type StrategyContext = {
  store: Store
  clock: Clock
  random: Random
  user: string
  groups: readonly string[]
}

/** What is special about one kind when its objects are written. Every part is optional. */
export type StrategyOf<T> = {
  /** Fills in what the user left out; runs on create and update. */
  defaults?(object: T): void
  /** Sets what the server decides on create (addresses, first status). */
  prepareCreate?(object: T, context: StrategyContext): void
  prepareUpdate?(object: T, old: T, context: StrategyContext): void
  validate?(object: T, context: StrategyContext): Cause[]
  validateUpdate?(object: T, old: T, context: StrategyContext): Cause[]
  /** Seconds an object stays after a delete request, given what the client asked for. */
  graceSeconds?(object: T, asked: number | undefined): number
  /** Objects with this propagation are deleted when the client does not say. */
  defaultPropagation?: 'Background' | 'Orphan'
  /** How a name must look: a DNS subdomain unless said otherwise. */
  name?: 'label' | 'label1035' | 'path'
}

export type Strategy = StrategyOf<KubeObject>

export type StrategyEntry = readonly [key: string, strategy: Strategy]

/** Ties a strategy to the type of its kind. */
export function strategy<T>(kind: KindKey<T>, rules: StrategyOf<T>): StrategyEntry {
  // A strategy only ever sees objects of its own kind, decoded by that kind's model.
  return [kind.key, rules as unknown as Strategy]
}
