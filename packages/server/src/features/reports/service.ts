import { act, type Member } from '../../platform/act.ts'
import { reportBounds, reportKindRules } from '@bey/contract/reports/rules'
import type { HandlerOutput } from '@bey/contract'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { paperHtml } from '../../platform/paper/paper-html.ts'
import { paperFor } from './issue.ts'
import { listIssues } from './issue-store.ts'
import { readableKinds, type ReportParts, requireKind, targetOf } from './parts.ts'
import { presentReport } from './present.ts'
import { nextTime, requireSchedule } from './schedule.ts'
import {
  countReports,
  deleteReport,
  findReport,
  insertReport,
  listReports,
  membersAmong,
  type ReportRow,
  updateReport,
} from './store.ts'

type Names = `reports.${'list' | 'get' | 'create' | 'update' | 'delete' | 'preview'}`

/** Reports of an organization. One whose kind the caller may not read is `not_found`. */
export function reportHandlers(parts: ReportParts): Handlers<Names> {
  const { database, clock, mail } = parts

  return {
    'reports.list': ({ caller, query: { kind, ...query } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        const kinds = readableKinds(caller.role).filter((each) => kind === undefined || each === kind)
        const { page, limit } = query
        if (kinds.length === 0) return { reports: [], page, limit, total: 0 }
        const { rows, ...total } = await listReports(db, caller.organizationId, { ...query, kinds })
        return { reports: await presentAll(db, caller.organizationId, rows), page, limit, ...total }
      }),

    'reports.get': async ({ caller, params: { id } }) => {
      const isMailConfigured = await mail.isMailConfigured()
      return database.readTenant(caller.organizationId, async (db) => {
        const row = await readable(db, caller, id)
        return { ...(await presentOne(db, caller.organizationId, row)), isMailConfigured }
      })
    },

    'reports.create': ({ caller, body }) =>
      orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          requireKind(caller.role, body.kind)
          if ((await countReports(db, organizationId)) >= reportBounds.perOrganization) {
            throw new AppError(
              'limit_reached',
              `This organization has ${reportBounds.perOrganization} reports. Delete one that nobody reads.`,
            )
          }
          await requireMembers(db, organizationId, body.recipients)
          const id = uuidv7()
          await insertReport(db, {
            ...body,
            id,
            organizationId,
            ownerId: user.id,
            nextAt: firstTime(body.schedule, body.parameters.timeZone, clock.now()),
          })
          await act(db, caller, { action: 'report.create', class: 'create', target: targetOf(id, body.name) })
          return keepReply(db, await presentOne(db, organizationId, await readable(db, caller, id)))
        }),
      ),

    'reports.update': ({ caller, params: { id }, body }) =>
      orNameTaken(body.name ?? '', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          const row = await readable(db, caller, id, { isLocked: true })
          if (body.recipients !== undefined) await requireMembers(db, organizationId, body.recipients)
          const schedule = body.schedule === undefined ? row.schedule : body.schedule
          const { timeZone } = body.parameters ?? row.parameters
          const isRescheduled = body.schedule !== undefined || body.parameters !== undefined
          await updateReport(db, organizationId, id, {
            ...body,
            // It runs with the rights of whoever decided what it reads and when.
            ...(isRescheduled && {
              ownerId: user.id,
              note: null,
              nextAt: firstTime(schedule, timeZone, clock.now()),
            }),
          })
          await act(db, caller, {
            action: 'report.update',
            class: 'update',
            target: targetOf(id, body.name ?? row.name),
            diff: { fields: Object.keys(body) },
          })
          return presentOne(db, organizationId, await readable(db, caller, id))
        }),
      ),

    'reports.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = await readable(db, caller, id, { isLocked: true })
        await deleteReport(db, caller.organizationId, id)
        await act(db, caller, { action: 'report.delete', class: 'delete', target: targetOf(id, row.name) })
        return null
      }),

    'reports.preview': async ({ caller, body: { kind, parameters } }) => {
      requireKind(caller.role, kind)
      const [paper, isMailConfigured] = await Promise.all([
        paperFor(parts, { kind, name: reportKindRules[kind].label, parameters }, caller),
        mail.isMailConfigured(),
      ])
      return { paper, html: paperHtml(paper, parts.madeBy), isMailConfigured }
    },
  }
}

/** A report whose kind the caller may read. Throws AppError `not_found`. */
export async function readable(
  db: Db,
  { organizationId, role }: Pick<Member, 'organizationId' | 'role'>,
  id: string,
  options: { isLocked?: boolean } = {},
): Promise<ReportRow> {
  const row = await findReport(db, organizationId, id, options)
  if (row !== undefined && readableKinds(role).includes(row.kind)) return row
  throw new AppError('not_found', 'There is no such report in this organization that you may read.')
}

type Presented = HandlerOutput<'reports.list'>['reports'][number]

async function presentAll(db: Db, organizationId: number, rows: readonly ReportRow[]): Promise<Presented[]> {
  const [issues, members] = await Promise.all([
    listIssues(
      db,
      organizationId,
      rows.map(({ id }) => id),
      { offset: 0, limit: reportBounds.shownIssues },
    ),
    membersAmong(db, organizationId, [...new Set(rows.flatMap(({ recipients }) => recipients))]),
  ])
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return rows.map((row) =>
    presentReport(
      row,
      issues.filter(({ reportId }) => reportId === row.id),
      names,
    ),
  )
}

async function presentOne(db: Db, organizationId: number, row: ReportRow): Promise<Presented> {
  const [report] = await presentAll(db, organizationId, [row])
  if (report === undefined) throw new Error('A report was not presented')
  return report
}

function firstTime(schedule: string | null, timeZone: string, now: Date): Date | null {
  if (schedule === null) return null
  requireSchedule(schedule, timeZone, now)
  return nextTime(schedule, timeZone, now)
}

async function requireMembers(db: Db, organizationId: number, ids: readonly number[]): Promise<void> {
  const members = await membersAmong(db, organizationId, ids)
  if (new Set(members.map(({ id }) => id)).size === new Set(ids).size) return
  throw new AppError(
    'invalid_request',
    'A recipient is no member of this organization. Choose members, or share an issue by a link.',
  )
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'reports_name_key') throw error
    throw new AppError('name_taken', `A report named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
