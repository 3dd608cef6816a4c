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
  const sizes = useMetrics(databaseSizes([database.id]))
  const places = useRead('databases.places', {}, { isEnabled: isHere })
  const { data } = sizes
  if (data === undefined) return undefined
  const freeBytes = freeBytesOf(
    database,
    { sizeBytes, sizeLimitBytes, diskQuota },
    places.data?.embedded.freeDiskBytes,
  )
  return growthOf(averagesOf(data, database.id, databaseMetrics.size) ?? [], data.stepMs, freeBytes)
}

/** What a database may still grow by; null where nothing bounds it, or that is not known. */
function freeBytesOf(
  { provider }: Pick<Database, 'provider'>,
  { sizeBytes, sizeLimitBytes, diskQuota }: Figures,
  freeDiskBytes: number | undefined,
): number | null {
  const limits = [
    provider === 'embedded' ? (freeDiskBytes ?? null) : null,
    sizeLimitBytes === null ? null : sizeLimitBytes - (sizeBytes ?? 0),
    diskQuota === null ? null : diskQuota.limitBytes - diskQuota.usedBytes,
  ].filter((each) => each !== null)
  return limits.length === 0 ? null : Math.max(0, Math.min(...limits))
}

/** How each of several databases grew in the last week, by their ids, asked at once; those of which it is not known are left out. */
export function useGrowths(databases: readonly Database[]): ReadonlyMap<string, DatabaseGrowth> {
  const { data } = useMetrics(databaseSizes(databases.map(({ id }) => id)))
  const hasEmbedded = databases.some(({ provider }) => provider === 'embedded')
  const places = useRead('databases.places', {}, { isEnabled: hasEmbedded })
  const freeDiskBytes = places.data?.embedded.freeDiskBytes
  if (data === undefined) return new Map()
  return new Map(
    databases.flatMap((database) => {
      const { id, figures } = database
      const sizes = averagesOf(data, id, databaseMetrics.size)
      if (figures === null || sizes === undefined) return []
      const growth = growthOf(sizes, data.stepMs, freeBytesOf(database, figures, freeDiskBytes))
      return growth === undefined ? [] : [[id, growth] as const]
    }),
  )
}

/** "grows 12 MiB a day, full in 38 days"; nothing of a database that does not grow by at least a MiB a day. */
export function growthText(growth: DatabaseGrowth | undefined): string {
  if (growth === undefined || growth.bytesPerDay < 1024 ** 2) return ''
  const grows = `grows ${formatBytes(growth.bytesPerDay)} a day`
  return growth.daysUntilFull === null
    ? grows
    : `${grows}, full in ${formatCount(growth.daysUntilFull, 'day')}`
}
