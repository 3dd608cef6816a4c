import { walSegmentBytes } from '@bey/contract'

/** How far a recovery came: the number of the last segment that it replayed from, and how long it replayed, in ms. */
export type ReplayedWal = { lastSegment: number; ms: number }

const done = /redo done at ([0-9A-F]+)\/([0-9A-F]+) system usage: .*elapsed: ([0-9.]+) s/

/** What the last recovery in the log of a server replayed, as the server measured it; null where the log does not say. */
export function replayedWal(log: string): ReplayedWal | null {
  const line = log.split('\n').findLast((each) => done.test(each))
  const [, high, low, seconds] = done.exec(line ?? '') ?? []
  if (high === undefined || low === undefined) return null
  const position = Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
  return {
    lastSegment: Math.floor(position / walSegmentBytes),
    ms: Math.round(Number(seconds) * 1_000),
  }
}
