import type { CallOutput } from '@bey/contract'

export type RelationGraph = CallOutput<'relations.graph'>
export type RelationsOf = CallOutput<'relations.of'>
export type RelationPath = CallOutput<'relations.path'>
export type { Impact, ImpactRow, RelatedResource, RelationBox, RelationRow } from '@bey/contract'

/** What changes without an event of its own, such as the state of pods, is read again after so long. */
export const relationRefreshMs = 10_000
