import type { DatabasePlanId } from './rules.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3

/** What the databases of a server may take on disk by its size, unless a quota of its own is set. */
export const planDiskBytes: Readonly<Record<DatabasePlanId, number>> = {
  small: 10 * gibibyte,
  medium: 50 * gibibyte,
  large: 200 * gibibyte,
}

export const diskQuotaLimits = {
  /** An empty server takes some 30 MiB. */
  minBytes: 64 * mebibyte,
  maxBytes: 64 * 1024 * gibibyte,
  /** Shares of the quota from which on its use needs attention. */
  warnFrom: [0.8, 0.9],
  /** How long writes may be allowed at a time, in minutes. */
  minutes: { min: 1, max: 60, default: 15 },
} as const

/** Why a quota cannot be set, as a sentence; undefined where it fits. `usedBytes`: what the databases take already. */
export function diskQuotaProblem(
  limitBytes: number,
  freeDiskBytes: number,
  usedBytes = 0,
): string | undefined {
  const { minBytes, maxBytes } = diskQuotaLimits
  if (!Number.isFinite(limitBytes) || limitBytes < minBytes || limitBytes > maxBytes)
    return `A quota is from ${sizeText(minBytes)} to ${sizeText(maxBytes)}.`
  const roomBytes = usedBytes + freeDiskBytes
  if (limitBytes <= roomBytes) return undefined
  return `The disk of the machine has ${roundedDown(freeDiskBytes)} left: a quota of up to ${roundedDown(roomBytes)} fits.`
}

const roundedDown = (bytes: number) => `${Math.floor((10 * bytes) / gibibyte) / 10} GiB`

/** The schema and table that fill a quota for practice. */
export const quotaFaultTable = { schema: 'bey_fault', table: 'fill' } as const
/** What is filled for practice at most: more would take the disk from others. */
export const quotaFaultBytes = gibibyte

/** What the databases of a server take on disk, as it was when the server last answered. */
export type DiskQuota = {
  /** All databases of the server; its WAL does not count. */
  usedBytes: number
  limitBytes: number
  /** Whether the limit was set for this database instead of following from its size. */
  isOwn: boolean
  /** Whether transactions are read only unless they ask otherwise. */
  isRefusing: boolean
  /** Until when writes are allowed although the quota is full, as an instant; null where they are not. */
  allowedUntil: string | null
  /** Until when it is filled on purpose, as an instant; null where it is not. */
  filledUntil: string | null
}

/** How full a quota is, as the share from which its use needs attention: 0, 0.8, 0.9 or 1. */
export function quotaLevel({ usedBytes, limitBytes }: Pick<DiskQuota, 'usedBytes' | 'limitBytes'>): number {
  const share = usedBytes / limitBytes
  if (share >= 1) return 1
  return diskQuotaLimits.warnFrom.findLast((from) => share >= from) ?? 0
}

/** What of a quota needs attention; undefined where nothing does. */
export function quotaTrouble(
  quota: DiskQuota,
): { state: 'degraded' | 'failing'; reason: string; detail: string } | undefined {
  const { usedBytes, limitBytes, isRefusing, allowedUntil } = quota
  const level = quotaLevel(quota)
  const size = sizeText(limitBytes)
  if (isRefusing) {
    return {
      state: 'failing',
      reason: 'QuotaFull',
      detail: `Its disk quota of ${size} is full, so it refuses to write. Raise the quota, or allow writes for a while and delete what is not needed.`,
    }
  }
  if (level === 0) return undefined
  if (level === 1) {
    const until = allowedUntil === null ? '' : ` Writes are allowed until ${allowedUntil.slice(11, 16)} UTC.`
    return { state: 'degraded', reason: 'QuotaFull', detail: `Its disk quota of ${size} is full.${until}` }
  }
  return {
    state: 'degraded',
    reason: 'NearlyFull',
    detail: `${Math.floor((100 * usedBytes) / limitBytes)} % of its disk quota of ${size} is in use; once it is full, it refuses to write.`,
  }
}

function sizeText(bytes: number): string {
  const [value, unit] =
    bytes >= 1024 * gibibyte
      ? [bytes / gibibyte / 1024, 'TiB']
      : bytes >= gibibyte
        ? [bytes / gibibyte, 'GiB']
        : [bytes / mebibyte, 'MiB']
  return `${Number(value.toFixed(1))} ${unit}`
}
