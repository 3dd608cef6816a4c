import { type DatabaseRecoverableWindow, timeToBeBack } from '@bey/contract'
import { formatBytes, formatCount, formatDuration } from '../../../lib/format.ts'

type Recovery = DatabaseRecoverableWindow['recovery']
export type TimePoint = { atMs: number; backMs: number }

/** How long it takes to be back at each moment, a line for each base backup; undefined while no drill has measured it. */
export function recoveryLines({
  measured,
  teeth,
}: Recovery): { id: string; points: TimePoint[] }[] | undefined {
  if (measured === null) return undefined
  return teeth.map(({ backupId, points }) => ({
    id: backupId,
    points: points.map(({ at, walBytes }) => ({
      atMs: Date.parse(at),
      backMs: timeToBeBack(measured, walBytes),
    })),
  }))
}

/** WAL that a restore to this moment replays, in bytes; undefined where no base backup leads there. */
export function walBytesAt({ teeth }: Pick<Recovery, 'teeth'>, atMs: number): number | undefined {
  for (const { points } of teeth.toReversed()) {
    const after = points.findIndex(({ at }) => Date.parse(at) >= atMs)
    const [next, before] = [points[after], points[after - 1]]
    if (next === undefined) continue
    if (Date.parse(next.at) === atMs) return next.walBytes
    if (before === undefined) continue
    const share = (atMs - Date.parse(before.at)) / (Date.parse(next.at) - Date.parse(before.at))
    return before.walBytes + share * (next.walBytes - before.walBytes)
  }
  return undefined
}

/** How long it takes to be back at this moment, in ms; undefined while no drill has measured it, or nothing leads there. */
export function backMsAt(recovery: Recovery, atMs: number): number | undefined {
  const walBytes = walBytesAt(recovery, atMs)
  if (recovery.measured === null || walBytes === undefined) return undefined
  return timeToBeBack(recovery.measured, walBytes)
}

/** "Back in about 11 min 07 s", and "24.1 GiB" of WAL to replay; undefined while no drill has measured it. */
export function backIn(recovery: Recovery, atMs: number): { time: string; wal: string } | undefined {
  const walBytes = walBytesAt(recovery, atMs)
  if (recovery.measured === null || walBytes === undefined) return undefined
  const backMs = backMsAt(recovery, atMs) ?? 0
  return { time: `Back in about ${formatDuration(backMs)}`, wal: formatBytes(walBytes) }
}

/** Where the figures come from. */
export function measuredText({ measured }: Pick<Recovery, 'measured'>): string {
  if (measured === null) {
    return 'No drill has measured yet how long it takes to be back. “Prove it now” does.'
  }
  const { drills, baseMs, walBytesPerSecond } = measured
  return `From ${formatCount(drills, 'drill')}: ${formatDuration(baseMs)} for the base backup, then ${formatBytes(walBytesPerSecond)} of WAL a second.`
}

/** Round times for the grid, in ms, from 0 up to above the longest. */
export function timeGrid(longestMs: number): number[] {
  const steps = [100, 250, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5, 864e5]
  const step = steps.find((each) => longestMs / each <= 4) ?? Math.ceil(longestMs / 4 / 864e5) * 864e5
  const lines = Math.max(1, Math.ceil(longestMs / step))
  return Array.from({ length: lines + 1 }, (_, index) => index * step)
}
