import { type BaseBackup, reachOf, type WalStretch } from './backup-window.ts'

/** Bytes of a segment of the write-ahead log. */
export const walSegmentBytes = 16 * 1024 ** 2

/** What a drill measured of its own recovery. */
export type MeasuredDrill = {
  /** How long the files of the base backup took, in ms. */
  restoreMs: number
  /** From then until the server took questions, in ms: fetching and replaying WAL is a part of it. */
  replayMs: number
  /** Bytes of the segments of WAL that were replayed, each counted whole, and how long fetching and replaying them took, in ms. */
  walBytes: number
  walMs: number
}

export type RecoveryRate = {
  drills: number
  /** Median of what a drill takes without its WAL, in ms. */
  baseMs: number
  walBytesPerSecond: number
}

/** How long a recovery takes, from drills alone; undefined where none has replayed WAL. */
export function recoveryRate(drills: readonly MeasuredDrill[]): RecoveryRate | undefined {
  const measured = drills.filter(({ walBytes, walMs }) => walBytes > 0 && walMs > 0)
  const walMs = measured.reduce((sum, drill) => sum + drill.walMs, 0)
  if (walMs === 0) return undefined
  const walBytes = measured.reduce((sum, drill) => sum + drill.walBytes, 0)
  const bases = measured
    .map((drill) => Math.max(0, drill.restoreMs + drill.replayMs - drill.walMs))
    .toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((bases.length - 1) / 2), Math.ceil((bases.length - 1) / 2)]
  return {
    drills: measured.length,
    baseMs: Math.round(((bases[low] ?? 0) + (bases[high] ?? 0)) / 2),
    walBytesPerSecond: (walBytes / walMs) * 1_000,
  }
}

/** How long it takes to be back with so much WAL to replay, in ms. */
export const timeToBeBack = ({ baseMs, walBytesPerSecond }: RecoveryRate, walBytes: number): number =>
  Math.round(baseMs + (walBytes / walBytesPerSecond) * 1_000)

/** How long a restore took until its server answered, in ms: the whole of it where its parts are not known. */
export const recoveryMs = ({
  restoreMs,
  replayMs,
  totalMs,
}: {
  restoreMs: number | null
  replayMs: number | null
  totalMs: number | null
}): number | null => (restoreMs === null || replayMs === null ? totalMs : restoreMs + replayMs)

/** How much longer a recovery took than was promised, in ms; negative where it was quicker, null where nothing is promised. */
export const overPromiseMs = (backMs: number, recoveryTimeMinutes: number | null): number | null =>
  recoveryTimeMinutes === null ? null : backMs - recoveryTimeMinutes * 60_000

/** A segment of the WAL, and until when everything that was committed is in it or before it, in ms since 1970. */
export type WalMark = { timeline: number; segment: number; untilMs: number }

/** The moments that one base backup is the newest for, and the WAL that each needs after it. */
export type RecoveryTooth = { backupId: string; points: { atMs: number; walBytes: number }[] }

/**
 * How much WAL a restore to each moment replays: it grows from one base backup until the next one, or until the WAL ends.
 * `marks`: in the order of their segments; between them it grows evenly.
 */
export function recoveryTeeth(
  backups: readonly BaseBackup[],
  wal: readonly WalStretch[],
  marks: readonly WalMark[],
): RecoveryTooth[] {
  const usable = backups
    .flatMap((backup) => {
      const reach = reachOf(backup, wal)
      return reach === undefined ? [] : [{ backup, reach }]
    })
    .toSorted((one, other) => one.reach.fromMs - other.reach.fromMs)
  return usable.map(({ backup, reach }, index) => {
    const { fromMs } = reach
    const last = wal.find(
      ({ timeline, first, last: end }) =>
        timeline === backup.timeline && first <= backup.startSegment && end >= backup.stopSegment,
    )?.last
    const own = marks.filter(
      ({ timeline, segment }) =>
        timeline === backup.timeline && segment > backup.stopSegment && segment <= (last ?? segment),
    )
    const toMs = Math.min(reach.toMs, usable[index + 1]?.reach.fromMs ?? Number.POSITIVE_INFINITY)
    const bytesUntil = (segment: number) =>
      (Math.max(segment, backup.stopSegment) - backup.startSegment + 1) * walSegmentBytes
    const inside = own.filter(({ untilMs }) => untilMs > fromMs && untilMs < toMs)
    const after = own.find(({ untilMs }) => untilMs >= toMs)
    const lastSegment = after?.segment ?? inside.at(-1)?.segment ?? backup.stopSegment
    return {
      backupId: backup.id,
      points: [
        { atMs: fromMs, walBytes: bytesUntil(backup.stopSegment) },
        ...inside.map(({ segment, untilMs }) => ({ atMs: untilMs, walBytes: bytesUntil(segment) })),
        ...(toMs > fromMs ? [{ atMs: toMs, walBytes: bytesUntil(lastSegment) }] : []),
      ],
    }
  })
}
