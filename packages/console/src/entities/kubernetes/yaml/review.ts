import type { FieldChange } from './object-changes.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** What the cluster would make of the text, asked with a dry run. */
export interface Review {
  text: string
  live: Free
  /** As the server would store it. Of a Secret, what was sent: its values never come back. */
  after: Free
  changes: FieldChange[]
  patch: Free
  tookMs: number
  at: Date
}

/**
 * Whether who agreed to `before` has agreed to `after` as well: the same changes, to an object of which at most the
 * status or the notes of its controllers are others. Kubernetes counts every other change in its generation; kinds
 * without one are compared by their text.
 */
export function isSameQuestion(before: Review, after: Review): boolean {
  if (JSON.stringify(before.patch) !== JSON.stringify(after.patch)) return false
  const generation = generationOf(before.live)
  if (generation !== undefined && generation === generationOf(after.live)) return true
  return before.text === after.text
}

function generationOf(object: Free): unknown {
  return isFree(object['metadata']) ? object['metadata']['generation'] : undefined
}
