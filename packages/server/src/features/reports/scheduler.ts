import { act, serverItself } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { whenDue } from '../../platform/db/due-work.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { organizations } from '../../tables/organizations.ts'
import { eq } from 'drizzle-orm'
import { paperFor, storeIssue } from './issue.ts'
import { readableKinds, type ReportParts, targetOf } from './parts.ts'
import { shortTime } from './period.ts'
import { nextTime } from './schedule.ts'
import { findReport, listDue, membersAmong, type ReportRow, updateReport } from './store.ts'

const dueAtOnce = 20
/** A schedule that is issued later than this was missed: Bey was not running. */
const lateMs = 10 * 60_000

/** Issues what schedules have due, until stopped. */
export function startReportSchedules(parts: ReportParts): () => Promise<void> {
  let working: Promise<void> | undefined
  const work = () =>
    issueDue(parts)
      .catch((error: unknown) =>
        parts.log.debug({ err: error }, 'Reports could not be issued; they are tried again'),
      )
      .finally(() => (working = undefined))
  const cancel = whenDue(parts, {
    isDue: 'exists (select 1 from reports where next_at <= $1)',
    begin: () => void (working ??= work()),
  })
  return async () => {
    cancel()
    await working
  }
}

/**
 * Issues each report that is due once, however many of its times passed. The paper is read first; then the issue and the
 * next time are one transaction under the lock of the report, so that of two processes one issues it.
 */
async function issueDue(parts: ReportParts): Promise<void> {
  const due = await parts.database.asSystem('find due reports', (db) =>
    listDue(db, parts.clock.now(), dueAtOnce),
  )
  for (const { id, organizationId } of due) await issueOne(parts, organizationId, id)
}

async function issueOne(parts: ReportParts, organizationId: number, id: string): Promise<void> {
  const { database, clock } = parts
  const found = await database.readTenant(organizationId, async (db) => {
    const row = await findReport(db, organizationId, id)
    return row && { row, caller: await ownerOf(db, organizationId, row) }
  })
  if (found?.row.nextAt == null || found.row.nextAt > clock.now()) return
  const { row, caller } = found
  const dueAt = found.row.nextAt
  if (caller === undefined) {
    const note =
      'Paused: whoever scheduled this report has left the organization or lost the rights that it needs. Save the schedule again to run it with your rights.'
    return settle(parts, organizationId, row, dueAt, (db) => pause(db, organizationId, row, note))
  }
  const paper = await paperFor(parts, row, caller).catch((error: unknown) => {
    parts.log.warn({ err: error, reportId: id }, 'A scheduled report could not be read')
    return error instanceof AppError ? error.message : 'An internal error occurred; the log of Bey says more.'
  })
  await settle(parts, organizationId, row, dueAt, async (db) => {
    const now = clock.now()
    const { schedule, parameters } = row
    const next = schedule === null ? null : nextTime(schedule, parameters.timeZone, now)
    if (typeof paper === 'string') {
      const note = `The issue due at ${shortTime(dueAt, parameters.timeZone)} failed: ${paper}`
      return updateReport(db, organizationId, id, { nextAt: next, note })
    }
    await storeIssue(db, parts, row, { paper, trigger: 'schedule', who: caller })
    await updateReport(db, organizationId, id, { nextAt: next, note: lateNote(row, dueAt, now) })
  })
}

/** Runs `work` if the report is still due since the same time: another process may have been quicker. */
function settle(
  { database }: ReportParts,
  organizationId: number,
  { id }: ReportRow,
  dueAt: Date,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  return database.withTenant(organizationId, async (db) => {
    const locked = await findReport(db, organizationId, id, { isLocked: true })
    if (locked?.nextAt?.getTime() === dueAt.getTime()) await work(db)
  })
}

async function pause(db: Db, organizationId: number, { id, name }: ReportRow, note: string): Promise<void> {
  await updateReport(db, organizationId, id, { nextAt: null, note })
  await act(db, serverItself(organizationId), {
    action: 'report.pause',
    class: 'update',
    target: targetOf(id, name),
    diff: { note },
  })
}

function lateNote({ parameters: { timeZone } }: ReportRow, dueAt: Date, now: Date): string | null {
  if (now.getTime() - dueAt.getTime() < lateMs) return null
  return `The issue due at ${shortTime(dueAt, timeZone)} was made at ${shortTime(now, timeZone)}, because Bey did not run.`
}

/** The owner of a report as a caller with their present role; undefined where they may not read its kind any more. */
async function ownerOf(db: Db, organizationId: number, row: ReportRow): Promise<TenantCaller | undefined> {
  const [owner] = row.ownerId === null ? [] : await membersAmong(db, organizationId, [row.ownerId])
  if (owner === undefined || !readableKinds(owner.role).includes(row.kind)) return undefined
  const [organization] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  const { role, ...user } = owner
  return {
    ip: '',
    userAgent: '',
    requestId: '',
    host: '',
    user,
    sessionId: '',
    tokenHash: Buffer.alloc(0),
    via: 'session',
    organizationId,
    organizationName: organization?.name ?? '',
    role,
  }
}
