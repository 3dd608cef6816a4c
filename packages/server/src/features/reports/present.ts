import type { Report, ReportIssue } from '@bey/contract'
import { reportBounds } from '@bey/contract/reports/rules'
import { presentActor } from '../../platform/present-actor.ts'
import type { IssueRow } from './issue-store.ts'
import { scheduleText } from './schedule.ts'
import type { ReportRow } from './store.ts'

export function presentIssue(row: IssueRow): ReportIssue {
  return {
    id: row.id,
    title: row.title,
    asOf: new Date(row.asOf).toISOString(),
    trigger: row.trigger,
    issuedBy: presentActor(row.issuedBy, row.issuedByName, row.issuedByEmail),
    recipientCount: row.recipientCount,
    recipientReadCount: row.recipientReadCount,
    readCount: row.readCount,
    openedCount: row.openedCount,
  }
}

/** `issues` are the newest first. `names` are those of members: a recipient who left is not shown. */
export function presentReport(
  row: ReportRow,
  issues: readonly IssueRow[],
  names: ReadonlyMap<number, string>,
): Report {
  const newest = issues.slice(0, reportBounds.shownIssues)
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    parameters: {
      ...row.parameters,
      clusterIds: [...row.parameters.clusterIds],
      hiddenSections: [...row.parameters.hiddenSections],
    },
    status: row.schedule === null ? 'manual' : row.nextAt === null ? 'paused' : 'scheduled',
    schedule: row.schedule,
    scheduleText: row.schedule === null ? null : scheduleText(row.schedule),
    nextAt: row.nextAt?.toISOString() ?? null,
    note: row.note,
    recipients: row.recipients.flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ id, name }]
    }),
    owner: presentActor(row.ownerId, row.ownerName, row.ownerEmail),
    issues: newest.map(presentIssue).toReversed(),
    issueCount: issues[0]?.total ?? 0,
    isUnread: isUnread(newest),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function isUnread(issues: readonly IssueRow[]): boolean {
  const scheduled = issues.filter(({ trigger }) => trigger === 'schedule')
  const last = scheduled.slice(0, reportBounds.unreadBeforeQuestion)
  return (
    last.length === reportBounds.unreadBeforeQuestion &&
    last.every(({ readCount, openedCount }) => readCount === 0 && openedCount === 0)
  )
}
