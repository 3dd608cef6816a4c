import type { Verdict } from './verdict.ts'
import { fine, verdict, worstOf } from './verdict.ts'

export type NamespaceFacts = { phase: string; deletedAtMs: number | null }

/** How long the deletion of all that a namespace holds may take. */
const deleteGraceMs = 5 * 60_000

/** Pure: a namespace is as healthy as the worst thing in it. */
export function namespaceHealth(
  { phase, deletedAtMs }: NamespaceFacts,
  inside: readonly Verdict[],
  nowMs: number,
): Verdict {
  if (phase === 'Terminating' || deletedAtMs !== null) {
    const endMs = (deletedAtMs ?? nowMs) + deleteGraceMs
    if (nowMs < endMs) return verdict('starting', 'Terminating', 'it is being deleted', deletedAtMs, endMs)
    return verdict('degraded', 'Terminating', 'something in it cannot be deleted', deletedAtMs)
  }
  return worstOf(inside) ?? fine
}
