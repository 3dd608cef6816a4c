import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import { metricSources } from '../tables/metric-sources.ts'
import { alertEpisodes, alertEvaluations, alertNotices, alerts } from '../tables/alerts.ts'

/** An alert of an organization that is off, with a row in each table that belongs to one, and a data source. */
export async function insertAlertRows(db: Db, organizationId: number): Promise<void> {
  const alertId = uuidv7()
  await db.insert(alerts).values({
    id: alertId,
    organizationId,
    name: 'one',
    expr: 'connections',
    condition: { kind: 'threshold', direction: 'above', limit: 80 },
    forMs: 0,
    severity: 'warning',
    audience: 'everyone',
    isEnabled: false,
  })
  await db.insert(metricSources).values({
    id: uuidv7(),
    organizationId,
    name: 'one',
    target: { kind: 'url', url: 'http://127.0.0.1:1', auth: { kind: 'none' }, caPem: '' },
  })
  await db.insert(alertEvaluations).values({ alertId, organizationId, checkAt: null })
  await db
    .insert(alertEpisodes)
    .values({ id: uuidv7(), organizationId, alertId, labels: {}, firedAt: new Date() })
  await db
    .insert(alertNotices)
    .values({ id: uuidv7(), organizationId, alertId, at: new Date(), title: 'one fires', userIds: [] })
}
