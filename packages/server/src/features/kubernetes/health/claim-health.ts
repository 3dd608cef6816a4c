import type { MeasuredVolume } from '@bey/contract'
import { fullShare, nearlyFullShare, sharePercent, volumeShare } from '@bey/contract'
import type { Verdict } from './verdict.ts'
import { fine, verdict } from './verdict.ts'

export type ClaimFacts = { phase: string; createdAtMs: number | null }

/** What the volume of a claim holds, and since when that is nine tenths or more. */
export type ClaimVolume = MeasuredVolume & { nearlyFullSinceMs: number | null }

/** How long a volume may take to be provisioned and bound. */
const bindGraceMs = 2 * 60_000

/** Pure: a persistent volume claim, and its volume where it was measured. Nobody waits for one that no pod uses. */
export function claimHealth(
  { phase, createdAtMs }: ClaimFacts,
  { isUsed, volume, nowMs }: { isUsed: boolean; volume?: ClaimVolume | undefined; nowMs: number },
): Verdict {
  if (phase === 'Bound') return volume ? volumeHealth(volume) : fine
  if (phase === 'Lost')
    return verdict('failing', 'Lost', 'the volume that it was bound to is gone', createdAtMs)
  if (!isUsed) return verdict('starting', 'Pending', 'no pod uses it yet', createdAtMs)
  const endMs = (createdAtMs ?? nowMs) + bindGraceMs
  if (nowMs < endMs) return verdict('starting', 'Pending', 'its volume is being made', createdAtMs, endMs)
  return verdict('failing', 'Pending', 'no volume has been bound to it', createdAtMs)
}

function volumeHealth(volume: ClaimVolume): Verdict {
  const share = volumeShare(volume)
  const { usedBytes, capacityBytes, nearlyFullSinceMs: sinceMs } = volume
  if (share < nearlyFullShare) return fine
  const what = share > usedBytes / capacityBytes ? 'of its inodes are used' : 'of its volume is used'
  return share < fullShare
    ? verdict('degraded', 'NearlyFull', `${sharePercent(share)} ${what}`, sinceMs)
    : verdict('failing', 'Full', `${sharePercent(share)} ${what}: writes may fail`, sinceMs)
}
