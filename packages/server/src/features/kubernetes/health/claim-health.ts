import type { Verdict } from './verdict.ts'
import { fine, verdict } from './verdict.ts'

export type ClaimFacts = { phase: string; createdAtMs: number | null }

/** How long a volume may take to be provisioned and bound. */
const bindGraceMs = 2 * 60_000

/** Pure: a persistent volume claim. Nobody waits for one that no pod uses. */
export function claimHealth({ phase, createdAtMs }: ClaimFacts, isUsed: boolean, nowMs: number): Verdict {
  if (phase === 'Bound') return fine
  if (phase === 'Lost')
    return verdict('failing', 'Lost', 'the volume that it was bound to is gone', createdAtMs)
  if (!isUsed) return verdict('starting', 'Pending', 'no pod uses it yet', createdAtMs)
  const endMs = (createdAtMs ?? nowMs) + bindGraceMs
  if (nowMs < endMs) return verdict('starting', 'Pending', 'its volume is being made', createdAtMs, endMs)
  return verdict('failing', 'Pending', 'no volume has been bound to it', createdAtMs)
}
