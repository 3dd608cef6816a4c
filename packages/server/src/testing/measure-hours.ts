import { realClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { createLog } from '../platform/log.ts'
import { openMetrics, type Sample } from '../platform/metrics/metrics.ts'

/** Gives an entity so many hours of the same values, up to now. */
export async function measureHours(
  database: Database,
  organizationId: number,
  entity: { type: string; id: string },
  samples: Sample[],
  hours = 200,
): Promise<void> {
  const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'silent' }) })
  await metrics.write(organizationId, entity, new Date(), samples)
  await metrics.stop()
  await database.ownerPool.query(
    `insert into metric_hours (organization_id, block, at, averages, maxima)
     select p.organization_id, p.block, date_trunc('hour', now()) - make_interval(hours => hour), p.readings, p.readings
     from generate_series(1, $4::int) hour, (
       select distinct on (m.block) m.organization_id, m.block, m.readings from metric_samples m
       join metric_series s on s.organization_id = m.organization_id and s.block = m.block
       where s.organization_id = $1 and s.entity_type = $2 and s.entity_id = $3 order by m.block, m.at desc
     ) p on conflict do nothing`,
    [organizationId, entity.type, entity.id, hours],
  )
}
