import type { CatalogMetric, MeasuredType } from '@bey/contract'
import { measuredLabel, metricDescription, metricQueryBounds } from '@bey/contract'
import { sql } from 'drizzle-orm'

import { measuredTables } from '../../tables/entity-tables.ts'
import type { PointStore, ReadTenant } from '../../platform/metrics/points.ts'
import { textArray } from '../../platform/metrics/series.ts'
import { floorTo } from '../../platform/metrics/steps.ts'

type Row = { metric: string; type: MeasuredType; labels: string[]; count: number }
type Whole = { metric: string; type: MeasuredType; block: number; slot: number }

const minuteMs = 60_000
/** How old a value may be to count as the one of now. */
const newestMs = 5 * minuteMs
/** Series whose newest values are summed up for the catalogue. */
const maxSummed = 20_000

/** The metrics that the organization has, of the given types of entity, by name. */
export async function listMetrics(
  readTenant: ReadTenant,
  points: Pick<PointStore, 'read'>,
  organizationId: number,
  types: readonly MeasuredType[],
  nowMs: number,
): Promise<CatalogMetric[]> {
  const { rows } = await readTenant((db) =>
    db.execute<Row>(sql`
    select s.metric, s.entity_type as type, count(*)::int as count,
      array(select distinct k from metric_series l, jsonb_object_keys(l.labels) k
        where l.organization_id = ${organizationId} and l.entity_type = s.entity_type and l.metric = s.metric
        order by k limit 45) as labels
    from metric_series s
    where s.organization_id = ${organizationId} and s.entity_type = any(${textArray(types)})
    group by s.metric, s.entity_type order by s.metric, s.entity_type limit ${metricQueryBounds.maxMetricNames}`),
  )
  const newest = await newestValues(readTenant, points, organizationId, rows, nowMs)
  return rows.map(({ metric, type, labels, count }) => {
    const described = metricDescription(metric)
    const unit = described?.unit ?? null
    const values = newest.get(`${type} ${metric}`) ?? []
    const sum = values.reduce((total, value) => total + value, 0)
    return {
      name: metric,
      entity: type,
      meaning: described?.meaning ?? null,
      unit,
      labels: ['entity', measuredLabel(type), 'id', ...labels],
      seriesCount: count,
      lastValue: values.length === 0 ? null : unit === 'percent' ? sum / values.length : sum,
    }
  })
}

/** Newest values by type and metric: of entities as a whole, or of all series where there are only parts. */
async function newestValues(
  readTenant: ReadTenant,
  store: Pick<PointStore, 'read'>,
  organizationId: number,
  metrics: readonly Row[],
  nowMs: number,
): Promise<Map<string, number[]>> {
  const types = [...new Set(metrics.map(({ type }) => type))]
  const newest = new Map<string, number[]>()
  if (types.length === 0) return newest
  const isThere = types.map((type) => {
    const { name, id = 'id', deletedAt } = measuredTables[type]
    return sql`(s.entity_type = ${type} and exists (select from ${sql.raw(name)} t
      where t.organization_id = s.organization_id and t.${sql.raw(id)}::text = s.entity_id
        and ${sql.raw(deletedAt === undefined ? 'true' : `${deletedAt} is null`)}))`
  })
  const { rows } = await readTenant((db) =>
    db.execute<Whole>(sql`
    select s.metric, s.entity_type as type, s.block, s.slot from metric_series s
    where s.organization_id = ${organizationId} and (${sql.join(isThere, sql` or `)})
      and s.last_seen_at >= ${new Date(nowMs - 120 * minuteMs).toISOString()}
      and (s.labels = '{}'::jsonb or not exists (select from metric_series w where w.organization_id = ${organizationId}
        and w.entity_type = s.entity_type and w.entity_id = s.entity_id and w.metric = s.metric and w.labels = '{}'::jsonb))
    limit ${maxSummed}`),
  )
  const toMs = floorTo(nowMs, minuteMs) + minuteMs
  const range = { fromMs: toMs - newestMs, toMs, stepMs: minuteMs }
  const points = await store.read(readTenant, organizationId, rows, range, { nowMs, includesMaxima: false })
  for (const [index, { metric, type }] of rows.entries()) {
    const value = points[index]?.averages.findLast((each) => each !== null)
    if (value == null) continue
    const key = `${type} ${metric}`
    const known = newest.get(key)
    if (known) known.push(value)
    else newest.set(key, [value])
  }
  return newest
}
