import { databaseMetrics } from '@bey/contract/metrics/names'
import { entityResourceId } from '@bey/contract/resources/kinds'

import { quantity, recordUsage, type UsageEvent } from '../../../platform/usage/record.ts'
import type { BillingParts } from '../parts.ts'
import { hoursByQuarter, minuteMs, nextQuarters, quarterMs, saveMark } from './quarters.ts'
import { readTags } from './tags.ts'

export type MeteredDatabase = {
  id: string
  organizationId: number
  name: string
  provider: string
  cluster: { id: number; name: string } | null
  createdAtMs: number
}

const bytesOfGb = 1e9

/** Meters closed quarters of an hour of a database from its measured size. Answers whether there may be more to do. */
export async function meterDatabase(
  { database, metrics }: Pick<BillingParts, 'database' | 'metrics'>,
  of: MeteredDatabase,
  nowMs: number,
): Promise<boolean> {
  const { id, organizationId, name, provider, cluster } = of
  const metered = { type: 'database', id, name } as const
  const { quarters, tagsOf } = await database.readTenant(organizationId, async (db) => ({
    quarters: await nextQuarters(db, organizationId, metered, of.createdAtMs, nowMs),
    tagsOf: await readTags(db, organizationId),
  }))
  if (quarters === undefined) return false
  const { fromMs, toMs, skipped } = quarters
  const asked = [{ entity: { type: 'database', id }, metric: databaseMetrics.size }]
  const [points] = await metrics.read(organizationId, asked, { fromMs, toMs, stepMs: minuteMs })
  const { owner, labels } = tagsOf(entityResourceId('database', id))
  const subject = {
    resource: { id, name },
    provider,
    owner,
    labels,
    ...(cluster !== null && { cluster }),
  }
  const events = hoursByQuarter(points?.averages ?? []).flatMap((hours, quarter): UsageEvent[] => {
    const at = new Date(fromMs + quarter * quarterMs)
    const value = quantity(hours / bytesOfGb)
    if (Number(value) === 0) return []
    const eventId = `${id}/${at.toISOString().slice(0, 16)}`
    return [{ source: 'database', id: eventId, meter: 'database_gb_hours', value, at, subject }]
  })
  await database.withTenant(organizationId, async (db) => {
    await recordUsage(db, organizationId, events)
    await saveMark(db, organizationId, metered, toMs, skipped)
  })
  return true
}
