import type { Paper } from '@bey/contract/paper/paper'
import type { ReportParameters } from '@bey/contract/reports/rules'
import { randomBytes } from 'node:crypto'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import { reportIssues, reportLinks, reportReads, reports } from '../tables/reports.ts'

const parameters: ReportParameters = {
  period: 'last-week',
  timeZone: 'UTC',
  clusterIds: [],
  isCompared: false,
  hiddenSections: [],
}
const asOf = new Date(0)
const paper: Paper = {
  title: 'one',
  subtitle: '',
  asOf: asOf.toISOString(),
  asOfText: '',
  unread: [],
  sections: [],
  sources: [],
}

/** A report of an organization with an issue that `userId` read, and a link to it. */
export async function insertReportRows(db: Db, organizationId: number, userId: number): Promise<void> {
  const [reportId, issueId] = [uuidv7(), uuidv7()]
  await db
    .insert(reports)
    .values({ id: reportId, organizationId, name: 'one', kind: 'secrets-age', parameters })
  const issue = {
    id: issueId,
    organizationId,
    reportId,
    title: 'one',
    paper,
    parameters,
    asOf,
    recipients: [],
  }
  await db.insert(reportIssues).values({ ...issue, trigger: 'manual' })
  await db.insert(reportReads).values({ issueId, userId, organizationId, readAt: asOf })
  await db
    .insert(reportLinks)
    .values({ id: uuidv7(), organizationId, issueId, tokenHash: randomBytes(32), expiresAt: asOf })
}
