import type { ReportKind, ReportParameters } from '@bey/contract/reports/rules'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { DemoPart } from '../../platform/demo.ts'
import { insertReport } from './store.ts'

/** By then the clusters of a demo answer, so that its papers have something to say. */
const firstIssueMs = 60_000

type DemoReport = {
  name: string
  kind: ReportKind
  period: ReportParameters['period']
  schedule: string
  by: 'kaya' | 'teo'
}

const reports: readonly DemoReport[] = [
  {
    name: 'Reliability',
    kind: 'reliability',
    period: 'last-30-days',
    schedule: '0 6 * * 1',
    by: 'teo',
  },
  { name: 'What fills up next', kind: 'capacity', period: 'last-week', schedule: '0 6 * * 1', by: 'teo' },
  { name: 'Cost of the month', kind: 'cost', period: 'this-month', schedule: '0 6 1 * *', by: 'kaya' },
  {
    name: 'Access review',
    kind: 'access-review',
    period: 'last-30-days',
    schedule: '0 6 1 * *',
    by: 'kaya',
  },
]

/**
 * Reports of the team. The engine issues each a first time once the clusters answer, from what it reads then, and later by
 * its schedule. Nothing is mailed: the colleagues are invented.
 */
export const reportsDemo: DemoPart = async (db, { organizationId, people, now }) => {
  const createdAt = new Date(now.getTime() - 6 * 86_400_000)
  for (const { name, kind, period, schedule, by } of reports) {
    await insertReport(db, {
      id: uuidv7(),
      organizationId,
      name,
      kind,
      parameters: { period, timeZone: 'UTC', clusterIds: [], isCompared: true, hiddenSections: [] },
      schedule,
      nextAt: new Date(now.getTime() + firstIssueMs),
      recipients: [],
      ownerId: people[by].id,
      createdAt,
      updatedAt: createdAt,
    })
  }
}
