import { clusterMetrics, databaseMetrics } from '@bey/contract/metrics/names'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { DemoPart, DemoPersonKey } from '../../platform/demo.ts'
import type { alerts } from '../../tables/alerts.ts'
import { insertAlert } from './store.ts'

type Rule = Pick<typeof alerts.$inferInsert, 'name' | 'description' | 'expr' | 'condition' | 'severity'> & {
  forMs: number
  owner: DemoPersonKey
}

const minuteMs = 60_000
const whole = '{node="",namespace=""}'

const rules: readonly Rule[] = [
  {
    name: 'Pods fail',
    description: 'Seeded with the demo. Fires while pods of a cluster fail, as those of the incident do.',
    expr: `sum by (cluster) (${clusterMetrics.podsByHealth}{health="failing"})`,
    condition: { kind: 'threshold', direction: 'above', limit: 0 },
    severity: 'critical',
    forMs: 0,
    owner: 'teo',
  },
  {
    name: 'CPU of a cluster is nearly used up',
    description: 'Seeded with the demo.',
    expr: `100 * sum by (cluster) (${clusterMetrics.cpuUsed}${whole}) / sum by (cluster) (${clusterMetrics.cpuAllocatable}${whole})`,
    condition: { kind: 'threshold', direction: 'above', limit: 85 },
    severity: 'warning',
    forMs: 10 * minuteMs,
    owner: 'kaya',
  },
  {
    name: 'Connections of a database run out',
    description: 'Seeded with the demo.',
    expr: `100 * ${databaseMetrics.connections}{state="",wait=""} / ${databaseMetrics.connectionsMax}`,
    condition: { kind: 'threshold', direction: 'above', limit: 80 },
    severity: 'warning',
    forMs: 5 * minuteMs,
    owner: 'noor',
  },
]

/** Rules of the team; the engine evaluates them as any other, so that the first fires because of the incident. */
export const alertsDemo: DemoPart = async (db, { organizationId, people, now }) => {
  for (const { owner, ...rule } of rules) {
    const by = people[owner].id
    const createdAt = new Date(now.getTime() - 8 * 86_400_000)
    await insertAlert(db, {
      ...rule,
      id: uuidv7(),
      organizationId,
      audience: 'everyone',
      ownerId: by,
      createdBy: by,
      createdAt,
      updatedAt: createdAt,
    })
  }
}
