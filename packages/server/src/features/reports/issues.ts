import { Readable } from 'node:stream'
import { act } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { paperCsv } from '../../platform/paper/paper-csv.ts'
import { paperHtml } from '../../platform/paper/paper-html.ts'
import { composeReport, type Moved, movedFigures } from './compose.ts'
import { paperFor, storeIssue } from './issue.ts'
import { findIssue, insertRead, type IssueRow, listIssues, listReaders } from './issue-store.ts'
import { type ReportParts, targetOf } from './parts.ts'
import { spansOf } from './period.ts'
import { presentIssue } from './present.ts'
import { readerFor } from './reads.ts'
import { readable } from './service.ts'
import type { ReportRow } from './store.ts'

type Names = `reports.${'issue' | 'issues' | 'getIssue' | 'markRead' | 'file'}`
type Issue = NonNullable<Awaited<ReturnType<typeof findIssue>>>

/** Issues of reports, for those who may read the kind of the report. */
export function issueHandlers(parts: ReportParts): Handlers<Names> {
  const { database, clock } = parts

  const find = (caller: TenantCaller, id: string, issueId: string) =>
    database.readTenant(caller.organizationId, async (db) => {
      const report = await readable(db, caller, id)
      return { report, issue: await foundIssue(db, caller.organizationId, id, issueId) }
    })

  /** Which figures the same period has otherwise now; null where that cannot be read. */
  async function moved(caller: TenantCaller, report: ReportRow, issue: Issue): Promise<Moved[] | null> {
    try {
      const after = await composeReport({
        kind: report.kind,
        name: report.name,
        parameters: issue.parameters,
        organizationName: caller.organizationName,
        read: readerFor(parts.features, caller),
        now: clock.now(),
        spans: spansOf(issue.parameters, issue.asOf),
      })
      return movedFigures(issue.paper, after).slice(0, 20)
    } catch (error) {
      // The issue itself is whole without the comparison.
      parts.log.warn({ err: error, issueId: issue.id }, 'An issue could not be compared with the present')
      return null
    }
  }

  return {
    'reports.issue': async ({ caller, params: { id } }) => {
      const { organizationId } = caller
      const before = await database.readTenant(organizationId, (db) => readable(db, caller, id))
      const paper = await paperFor(parts, before, caller)
      return database.withTenant(organizationId, async (db) => {
        const row = await readable(db, caller, id, { isLocked: true })
        const issueId = await storeIssue(db, parts, row, { paper, trigger: 'manual', who: caller })
        const issues = await listIssues(db, organizationId, [id], { offset: 0, limit: 2 })
        return keepReply(db, presentIssue(foundRow(issues, issueId)))
      })
    },

    'reports.issues': ({ caller, params: { id }, query: { page, limit } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        await readable(db, caller, id)
        const offset = (page - 1) * limit
        const rows = await listIssues(db, caller.organizationId, [id], { offset, limit })
        return { issues: rows.map(presentIssue), page, limit, total: rows[0]?.total ?? 0 }
      }),

    'reports.getIssue': async ({ caller, params: { id, issueId } }) => {
      const { report, issue } = await find(caller, id, issueId)
      const [facts, readers] = await database.readTenant(caller.organizationId, async (db) => {
        const rows = await listIssues(db, caller.organizationId, [id], { offset: 0, limit: 1_000 })
        return [foundRow(rows, issueId), await listReaders(db, caller.organizationId, issueId)]
      })
      return {
        ...presentIssue(facts),
        paper: issue.paper,
        html: paperHtml(issue.paper, parts.madeBy),
        readers: readers.map(({ name, readAt }) => ({ name, readAt: readAt.toISOString() })),
        moved: await moved(caller, report, issue),
      }
    },

    'reports.markRead': ({ caller, params: { id, issueId } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId, user } = caller
        const report = await readable(db, caller, id)
        await foundIssue(db, organizationId, id, issueId)
        const read = { issueId, userId: user.id, organizationId, readAt: clock.now() }
        if (await insertRead(db, read)) {
          await act(db, caller, {
            action: 'report.read',
            class: 'read',
            target: targetOf(id, report.name),
            diff: { issueId },
          })
        }
        return null
      }),

    'reports.file': async ({ caller, params: { id, issueId }, query: { format } }) => {
      const { report, issue } = await find(caller, id, issueId)
      const { bytes, type } = await fileOf(issue, format)
      await database.withTenant(caller.organizationId, (db) =>
        act(db, caller, {
          action: 'report.download',
          class: 'read',
          target: targetOf(id, report.name),
          diff: { issueId, format },
        }),
      )
      return answer(Readable.from([bytes]), {
        headers: { 'content-type': type, 'content-disposition': `attachment; filename="report.${format}"` },
      })
    },
  }

  async function fileOf(
    { paper }: Issue,
    format: 'pdf' | 'csv' | 'html',
  ): Promise<{ bytes: Buffer; type: string }> {
    switch (format) {
      case 'pdf': {
        const { bytes } = await parts.printer.print(paper, parts.madeBy)
        return { bytes, type: 'application/pdf' }
      }
      case 'csv':
        return { bytes: Buffer.from(paperCsv(paper)), type: 'text/csv; charset=utf-8' }
      case 'html':
        return { bytes: Buffer.from(paperHtml(paper, parts.madeBy)), type: 'text/html; charset=utf-8' }
    }
  }
}

export async function foundIssue(
  db: Db,
  organizationId: number,
  reportId: string,
  id: string,
): Promise<Issue> {
  const issue = await findIssue(db, organizationId, reportId, id)
  if (issue !== undefined) return issue
  throw new AppError(
    'not_found',
    'This issue does not exist any more: the newest 100 of each report are kept.',
  )
}

function foundRow(rows: readonly IssueRow[], id: string): IssueRow {
  const row = rows.find((each) => each.id === id)
  if (row !== undefined) return row
  throw new AppError('not_found', 'This issue was deleted meanwhile.')
}
