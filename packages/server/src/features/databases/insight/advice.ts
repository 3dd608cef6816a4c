import { type DatabaseAdvice, insightLimits } from '@bey/contract'
import type { Client } from 'pg'

import type { Db } from '../../../platform/db/database.ts'
import { monitorName } from '../open-connection.ts'
import { withoutParameters } from '../sql/bind-parameters.ts'
import { explainStatement } from '../sql/explain-statement.ts'
import { openSession } from '../sql/open-session.ts'
import { requireHarmless } from '../sql/require-harmless.ts'
import type { DatabaseRow } from '../store.ts'
import { adviceFrom, type Finding, findAdvice, type ScannedStatement } from './advice-rules.ts'
import {
  type AdviceRow,
  findByStatement,
  recordExecution,
  replaceAdvice,
  selectAdvice,
} from './advice-store.ts'
import { readCatalogue } from './catalogue.ts'
import { checkByPlanner } from './hypothetical-plans.ts'
import type { InsightParts } from './insight-parts.ts'
import { scansOf } from './slow-scans.ts'
import { listStatements, rangeUntil } from './statement-list.ts'
import { countsOf, findInsight, lockInsight, type Subject, updateInsight } from './statement-store.ts'

/** Statements whose plans are looked at: those that took the most time in the last hour. */
const maxExplained = 20
const explainTimeoutMs = 5_000
const hourMs = 3_600_000

/** Applies the rules to a database and stores what they find. */
export async function checkAdvice(parts: InsightParts, row: DatabaseRow): Promise<void> {
  const { database, monitors, clock } = parts
  const { organizationId } = row
  const at = clock.now()
  const catalogue = await monitors.use(row, readCatalogue)
  const listed = await database.readTenant(organizationId, (db) =>
    listStatements(db, row, rangeUntil('1h', at)),
  )
  const slow = listed.filter(
    ({ text, isCut, meanMs }) =>
      !isCut && (meanMs ?? 0) >= adviceFrom.scanMs && /^\s*(select|with)\b/i.test(text),
  )
  const findings = await withScans(parts, row, slow.slice(0, maxExplained), (statements) =>
    findAdvice(catalogue, statements, at).slice(0, insightLimits.advice),
  )
  await database.withTenant(organizationId, async (db) => {
    const insight = await lockInsight(db, row)
    if (insight?.adviceAt && insight.adviceAt >= at) return
    await replaceAdvice(db, row, findings, at)
    await updateInsight(db, row, { adviceAt: at })
  })
}

type Listed = Awaited<ReturnType<typeof listStatements>>

/**
 * What `find` makes of the scans in the plans of statements, checked by the planner where it is about them. Plans are asked for
 * as a role that can change nothing; where no such role is to be had, there are none.
 */
async function withScans(
  parts: InsightParts,
  row: DatabaseRow,
  statements: Listed,
  find: (scanned: ScannedStatement[]) => Finding[],
): Promise<Finding[]> {
  if (statements.length === 0) return find([])
  const client = await openSession(parts, row, 'read', monitorName)
  try {
    const isHarmless = await requireHarmless(client, row.name).then(
      () => true,
      () => false,
    )
    if (!isHarmless) return find([])
    const scanned: ScannedStatement[] = []
    for (const { queryId, text, calls, meanMs } of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const scans = await scansIn(client, text, parts)
      scanned.push({ queryId, text, calls, meanMs: meanMs ?? 0, scans })
    }
    return await checkByPlanner(client, find(scanned), scanned, parts.clock)
  } finally {
    client.end().catch(() => undefined)
  }
}

async function scansIn(client: Client, statement: string, { clock }: InsightParts) {
  const request = {
    statement: withoutParameters(statement),
    analyze: false,
    isGeneric: true,
    timeoutMs: explainTimeoutMs,
  }
  const plan = await explainStatement(client, request, clock)
  await client.query('deallocate all')
  return scansOf(plan.nodes)
}

/** Records that a statement was executed, where advice asked for it, with what its statements had done by then. */
export async function recordStatement(
  parts: InsightParts,
  row: DatabaseRow,
  statement: string,
): Promise<void> {
  const { database, clock } = parts
  await database.withTenant(row.organizationId, async (db) => {
    const found = await findByStatement(db, row, statement)
    const at = clock.now()
    for (const { key, content } of found) {
      const since = new Date(at.getTime() - hourMs)
      // oxlint-disable-next-line no-await-in-loop -- one in all but odd cases
      const counts = await countsOf(db, row, content.queryIds, since)
      const baseline = counts.map(({ meanMs: beforeMs, ...count }) => ({ ...count, beforeMs }))
      // oxlint-disable-next-line no-await-in-loop -- in one transaction
      await recordExecution(db, row, { key, content: { ...content, baseline } }, at)
    }
  })
}

/** Advice as it is listed: what holds first, then what was decided against, then what was done. */
export async function listAdvice(db: Db, subject: Subject, now: Date) {
  const insight = await findInsight(db, subject)
  const rows = await selectAdvice(db, subject)
  const ids = rows.flatMap(({ content }) => (content.baseline ?? []).map(({ queryId }) => queryId))
  const counts = new Map(
    ids.length === 0 ? [] : (await countsOf(db, subject, ids, now)).map((each) => [each.queryId, each]),
  )
  const advice = rows.map((row) => present(row, counts))
  const order = { open: 0, dismissed: 1, done: 2 }
  return {
    checkedAt: insight?.adviceAt?.toISOString() ?? null,
    advice: advice.toSorted((a, b) => order[a.state] - order[b.state]).slice(0, insightLimits.advice),
  }
}

type Count = { calls: number; totalMs: number }

function present(row: AdviceRow, counts: ReadonlyMap<string, Count>): DatabaseAdvice {
  const { key, rule, content, firstSeenAt, endedAt, dismissedAt, dismissedReason, executedAt } = row
  const { title, detail, evidence, sql, queryIds, baseline = [] } = content
  return {
    key,
    rule,
    title,
    detail,
    evidence,
    sql,
    queryIds,
    state: endedAt !== null ? 'done' : dismissedAt === null ? 'open' : 'dismissed',
    firstSeenAt: firstSeenAt.toISOString(),
    dismissed:
      dismissedAt === null
        ? null
        : {
            at: dismissedAt.toISOString(),
            by: row.dismissedByName ?? 'somebody',
            reason: dismissedReason ?? '',
          },
    executedAt: executedAt?.toISOString() ?? null,
    effects: baseline.map(({ queryId, text, beforeMs, calls, totalMs }) => {
      const now = counts.get(queryId)
      // Counts that went back were reset: all of them are of later.
      const isReset = now !== undefined && now.calls < calls
      const since = now === undefined ? 0 : now.calls - (isReset ? 0 : calls)
      const took = now === undefined ? 0 : now.totalMs - (isReset ? 0 : totalMs)
      return { queryId, text, beforeMs, afterMs: since > 0 ? Math.max(0, took) / since : null }
    }),
  }
}
