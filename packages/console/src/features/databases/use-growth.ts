import { type DatabaseGrowth, databaseMetrics, databaseSizes, growthOf } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { averagesOf, useMetrics } from '../../data/metrics.ts'
import { useRead } from '../../data/use-read.ts'
import { formatBytes, formatCount } from '../../lib/format.ts'

type Figures = Pick<NonNullable<Database['figures']>, 'sizeBytes' | 'sizeLimitBytes' | 'diskQuota'>

/** How a database grew in the last week; undefined while that is not known. */
export function useGrowth(
  database: Database,
  { sizeBytes, sizeLimitBytes, diskQuota }: Figures,
): DatabaseGrowth | undefined {
  const isHere = database.provider === 'embedded'
  const sizes = useMetrics(databaseSizes(database.id))
  const places = useRead('databases.places', {}, { isEnabled: isHere })
  const { data } = sizes
  if (data === undefined) return undefined
  const onDisk = isHere ? (places.data?.embedded.freeDiskBytes ?? null) : null
  const limits = [
    onDisk,
    sizeLimitBytes === null ? null : sizeLimitBytes - (sizeBytes ?? 0),
    diskQuota === null ? null : diskQuota.limitBytes - diskQuota.usedBytes,
  ].filter((each) => each !== null)
  const freeBytes = limits.length === 0 ? null : Math.max(0, Math.min(...limits))
  return growthOf(averagesOf(data, database.id, databaseMetrics.size) ?? [], data.stepMs, freeBytes)
}

/** "grows 12 MiB a day, full in 38 days"; nothing of a database that does not grow by at least a MiB a day. */
export function growthText(growth: DatabaseGrowth | undefined): string {
  if (growth === undefined || growth.bytesPerDay < 1024 ** 2) return ''
  const grows = `grows ${formatBytes(growth.bytesPerDay)} a day`
  return growth.daysUntilFull === null
    ? grows
    : `${grows}, full in ${formatCount(growth.daysUntilFull, 'day')}`
}
