import { type BackupStatus, restorableStatuses } from './backup-rules.ts'

/** Segments of the write-ahead log that follow each other without a gap. Times are in ms since 1970. */
export type WalStretch = {
  timeline: number
  /** Numbers of its first and last segment (see `walSegment`). */
  first: number
  last: number
  /** Everything that was committed until then is in it. */
  untilMs: number
}

/** A base backup as the window sees it. Times are in ms since 1970. */
export type BaseBackup = {
  id: string
  status: BackupStatus
  timeline: number
  /** Numbers of the segments that hold where it began and where it ended. */
  startSegment: number
  stopSegment: number
  /** When its copy ended: the earliest moment that can be restored from it. */
  consistentAtMs: number
}

export type TimeRange = { fromMs: number; toMs: number }
export type RecoverableWindow = { ranges: TimeRange[]; gaps: TimeRange[] }

/** What can be restored from one base backup, as far as WAL follows it without a gap; undefined where even its own is missing. */
export function reachOf(backup: BaseBackup, wal: readonly WalStretch[]): TimeRange | undefined {
  if (!restorableStatuses.includes(backup.status)) return undefined
  const stretch = wal.find(
    ({ timeline, first, last }) =>
      timeline === backup.timeline && first <= backup.startSegment && last >= backup.stopSegment,
  )
  if (stretch === undefined) return undefined
  return { fromMs: backup.consistentAtMs, toMs: Math.max(backup.consistentAtMs, stretch.untilMs) }
}

/**
 * The moments to which a database can be restored, oldest first, and the gaps between them. A gap in the WAL lasts until the
 * next base backup has finished, for no WAL after it can be replayed before.
 */
export function recoverableWindow(
  backups: readonly BaseBackup[],
  wal: readonly WalStretch[],
): RecoverableWindow {
  const known = withBackups(wal, backups)
  const reaches = backups
    .flatMap((backup) => reachOf(backup, known) ?? [])
    .toSorted((one, other) => one.fromMs - other.fromMs)
  const ranges: TimeRange[] = []
  for (const reach of reaches) {
    const before = ranges.at(-1)
    if (before !== undefined && reach.fromMs <= before.toMs) before.toMs = Math.max(before.toMs, reach.toMs)
    else ranges.push({ ...reach })
  }
  const gaps = ranges
    .slice(1)
    .map(({ fromMs }, index) => ({ fromMs: ranges[index]?.toMs ?? fromMs, toMs: fromMs }))
  return { ranges, gaps }
}

/**
 * Everything that was committed until a base backup ended is in the WAL that makes it consistent: also earlier backups of the
 * same stretch lead there, although a segment says less of itself.
 */
function withBackups(wal: readonly WalStretch[], backups: readonly BaseBackup[]): WalStretch[] {
  return wal.map((stretch) => {
    const inside = backups.filter((backup) => reachOf(backup, [stretch]) !== undefined)
    const untilMs = Math.max(stretch.untilMs, ...inside.map(({ consistentAtMs }) => consistentAtMs))
    return { ...stretch, untilMs }
  })
}

/** The newest base backup from which this moment can be restored: it needs the least WAL. */
export function baseBackupFor<B extends BaseBackup>(
  targetMs: number,
  backups: readonly B[],
  wal: readonly WalStretch[],
): B | undefined {
  const known = withBackups(wal, backups)
  return backups
    .filter((backup) => {
      const reach = reachOf(backup, known)
      return reach !== undefined && reach.fromMs <= targetMs && targetMs <= reach.toMs
    })
    .toSorted((one, other) => other.consistentAtMs - one.consistentAtMs)[0]
}

/** Why a database cannot be restored to this moment, with the window named; undefined when it can. */
export function momentRefusal({ ranges, gaps }: RecoverableWindow, targetMs: number): string | undefined {
  const [first] = ranges
  const last = ranges.at(-1)
  if (first === undefined || last === undefined) {
    return 'No moment can be restored yet: it has no completed backup. Back it up first.'
  }
  if (ranges.some(({ fromMs, toMs }) => fromMs <= targetMs && targetMs <= toMs)) return undefined
  const gap = gaps.find(({ fromMs, toMs }) => fromMs < targetMs && targetMs < toMs)
  if (gap !== undefined) {
    return `${iso(targetMs)} lies in a gap: nothing between ${iso(gap.fromMs)} and ${iso(gap.toMs)} can be restored. Choose a moment before or after it.`
  }
  return `${iso(targetMs)} cannot be restored. Choose a moment from ${iso(first.fromMs)} to ${iso(last.toMs)}.`
}

/** Segments of 16 MiB, of which 256 make one of the log files that names count. */
const segmentsPerLog = 256

export type WalSegment = { timeline: number; number: number }

/** Timeline and number of a segment from the name of its file; undefined for other files, such as histories. */
export function walSegment(name: string): WalSegment | undefined {
  if (!/^[0-9A-F]{24}$/.test(name)) return undefined
  const part = (from: number) => Number.parseInt(name.slice(from, from + 8), 16)
  return { timeline: part(0), number: part(8) * segmentsPerLog + part(16) }
}

/** The name of a segment's file. */
export function walFileName({ timeline, number }: WalSegment): string {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return hex(timeline) + hex(Math.floor(number / segmentsPerLog)) + hex(number % segmentsPerLog)
}

const iso = (ms: number) => new Date(ms).toISOString()
