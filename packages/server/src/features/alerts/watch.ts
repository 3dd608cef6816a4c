import { metricSourceLimits as limits } from '@bey/contract'
import { alertBounds } from '@bey/contract/alerts/rules'
import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { whenDue } from '../../platform/db/due-work.ts'
import { AppError } from '../../platform/errors.ts'
import { evaluate, plan } from './evaluate.ts'
import { type Answer, type AlertParts, sourceOf } from './parts.ts'
import { countAnswer, countedCondition, matchAnswer, withCount } from './resource-answer.ts'
import { type AlertRow, alertsById } from './store.ts'
import { type Evaluated, isUneventful, writeOutcome, writeValues } from './write-outcome.ts'

/** So many are claimed at once; a process that dies leaves them to the next round. */
const batch = 250
/** Expressions that are evaluated at the same time: so many share their reads. */
const ownAtOnce = 100
/** A data source answers its alerts within this, which is less than the time between two rounds. */
const sourceMs = 25_000

/**
 * Evaluates enabled alerts of all organizations every 30 s; any number of processes share the work. Alerts over a data
 * source are evaluated beside the others, so that a slow one delays only its own.
 */
export function watchAlerts(parts: AlertParts) {
  const { database, clock, log } = parts
  let working: Promise<void> | undefined
  let isStopped = false
  const stopping = new AbortController()
  /** Data sources that are being asked; what is due of them meanwhile is evaluated in a later round. */
  const asking = new Map<string, Promise<void>>()
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'Alerts could not be evaluated; the next round tries again')

  function evaluateBeside(organizationId: number, source: string, rows: readonly AlertRow[]): void {
    const key = `${organizationId} ${source}`
    if (asking.has(key)) return
    const done = evaluateOverSource(parts, organizationId, rows, stopping.signal)
      .catch(warn)
      .finally(() => asking.delete(key))
    asking.set(key, done)
  }

  async function round(): Promise<void> {
    for (;;) {
      const claimed = await database.asSystem('evaluate alerts', (db) => claim(db, clock.now()))
      const organizations = Map.groupBy(claimed, ({ organizationId }) => organizationId)
      for (const [organizationId, all] of organizations) {
        if (isStopped) return
        const ids = all.map(({ id }) => id)
        await readBySource(parts, organizationId, ids)
          .then(async (bySource) => {
            for (const [source, rows] of bySource) {
              if (source !== undefined) evaluateBeside(organizationId, source, rows)
            }
            await evaluateRows(parts, organizationId, bySource.get(undefined) ?? [])
          })
          .catch(warn)
      }
      if (claimed.length < batch || isStopped) return
    }
  }

  function begin(): void {
    working ??= round()
      .catch(warn)
      .finally(() => (working = undefined))
  }

  const isDue = `exists (select 1 from alert_evaluations where check_at <= $1)`
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return {
    async stop() {
      isStopped = true
      cancel()
      stopping.abort()
      await working
      await Promise.all(asking.values())
    },
  }
}

/** Alerts that are due. Those of a demo that sleeps wait: its clusters are stopped, and nobody is to be told so. */
async function claim(db: Db, now: Date): Promise<{ id: string; organizationId: number }[]> {
  const next = new Date(now.getTime() + alertBounds.everyMs).toISOString()
  const { rows } = await db.execute<{ id: string; organizationId: number }>(sql`
    with due as (
      select alert_id from alert_evaluations where check_at <= ${now.toISOString()}::timestamptz
      order by check_at limit ${batch} for update skip locked
    ), claimed as (
      update alert_evaluations e set check_at = ${next}::timestamptz from due where e.alert_id = due.alert_id
      returning e.alert_id as id, e.organization_id as "organizationId"
    )
    select * from claimed where not exists (
      select 1 from demos where organization_id = claimed."organizationId" and asleep_since is not null)`)
  return rows
}

/** Evaluates alerts of one organization as of now, each data source by itself. */
export async function evaluateAlerts(
  parts: AlertParts,
  organizationId: number,
  ids: readonly string[],
): Promise<void> {
  const bySource = await readBySource(parts, organizationId, ids)
  await Promise.all(
    [...bySource].map(([source, rows]) =>
      source === undefined
        ? evaluateRows(parts, organizationId, rows)
        : evaluateOverSource(parts, organizationId, rows),
    ),
  )
}

/** Enabled alerts by the data source that they read; undefined: Bey itself. */
async function readBySource(
  { database }: AlertParts,
  organizationId: number,
  ids: readonly string[],
): Promise<Map<string | undefined, AlertRow[]>> {
  const rows = await database.readTenant(organizationId, (db) => alertsById(db, organizationId, ids))
  return Map.groupBy(
    rows.filter(({ isEnabled }) => isEnabled),
    (row) => (row.source === 'resources' ? undefined : sourceOf(row)),
  )
}

/** The same for alerts over one data source, which has a time for all of them together. */
async function evaluateOverSource(
  parts: AlertParts,
  organizationId: number,
  rows: readonly AlertRow[],
  stopped?: AbortSignal,
): Promise<void> {
  const { clock } = parts
  const late = new AppError(
    'source_unreachable',
    `The data source did not answer all alerts within ${sourceMs / 1_000} s. Ask it less, or with simpler expressions.`,
  )
  const ended = Promise.withResolvers<never>()
  // Nobody waits for it once all has been answered.
  ended.promise.catch(() => undefined)
  let hasEnded = false
  const end = (error: AppError) => {
    hasEnded = true
    ended.reject(error)
  }
  const cancel = clock.setTimeout(() => end(late), sourceMs)
  const stop = () => end(new AppError('source_unreachable', 'The server is stopping.'))
  stopped?.addEventListener('abort', stop)
  const together = (of: Parameters<AlertParts['together']>[0]) => {
    const ask = parts.together(of)
    // What was not asked in time is not asked any more: the source would have it all to answer in the next round.
    return (...asked: Parameters<typeof ask>) =>
      hasEnded ? ended.promise : Promise.race([ask(...asked), ended.promise])
  }
  try {
    await evaluateRows({ ...parts, together }, organizationId, rows, { atOnce: limits.atOnce, stopped })
  } finally {
    cancel()
    stopped?.removeEventListener('abort', stop)
  }
}

/** Evaluates and writes. The same expression over the same time is asked once. */
async function evaluateRows(
  parts: AlertParts,
  organizationId: number,
  rows: readonly AlertRow[],
  { atOnce = ownAtOnce, stopped }: { atOnce?: number; stopped?: AbortSignal | undefined } = {},
): Promise<void> {
  const { database, clock } = parts
  const answers = new Map<string, Promise<Answer>>()
  // Whoever sees an alert sees its values: it reads no more than the least role may.
  const of = { organizationId, role: 'VIEWER' } as const
  const ask = parts.together(of)
  const askMatches = parts.matches(of)
  const now = clock.now()
  const all: Evaluated[] = []
  const queue = [...rows]
  const worker = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const evaluated =
        row.source === 'resources'
          ? await evaluateMatches(parts, askMatches, row, now)
          : await evaluateOne(parts, ask, row, now, answers)
      if (evaluated) all.push(evaluated)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // What a stop broke off is known to nobody; another process evaluates it.
  if (stopped?.aborted) return
  const [quiet, eventful] = [
    all.filter((each) => isUneventful(each, now)),
    all.filter((each) => !isUneventful(each, now)),
  ]
  await database.withTenant(organizationId, (db) => writeValues(db, organizationId, quiet, now))
  for (const each of eventful)
    await database.withTenant(organizationId, (db) => writeOutcome(db, parts, each, now))
}

/** Judges what of the inventory matches now; between two evaluations nobody knows. */
async function evaluateMatches(
  { log }: AlertParts,
  ask: ReturnType<AlertParts['matches']>,
  row: AlertRow,
  now: Date,
): Promise<Evaluated | undefined> {
  const planned = plan(row, row.evaluatedToMs, now.getTime())
  if (planned === undefined) return undefined
  const { range, toMs } = planned
  const newest = { ...planned, afterMs: Math.max(planned.afterMs, toMs - range.stepMs) }
  try {
    const { resources, gaps } = await ask(row.expr, row.ownerId ?? 0)
    const hasGaps = gaps.length > 0
    const counts = withCount(row.counts, now.getTime(), hasGaps ? null : resources.length)
    if (row.condition.kind === 'match') {
      const { answer, before } = matchAnswer(resources, row.instances, range, hasGaps)
      return { row, ...newest, outcome: evaluate(row, before, answer, newest), unit: null, counts }
    }
    const condition = countedCondition(row.condition)
    const answer = countAnswer(resources.length, condition, row.counts, range, hasGaps)
    const outcome = evaluate({ ...row, condition }, row.instances, answer, newest)
    return { row, ...newest, outcome, unit: 'count', counts }
  } catch (error) {
    return { row, ...newest, error: sentenceOf(error, row, log, 'The inventory could not be read.') }
  }
}

async function evaluateOne(
  { log }: AlertParts,
  ask: ReturnType<AlertParts['together']>,
  row: AlertRow,
  now: Date,
  answers: Map<string, Promise<Answer>>,
): Promise<Evaluated | undefined> {
  const planned = plan(row, row.evaluatedToMs, now.getTime())
  if (planned === undefined) return undefined
  const { range } = planned
  const source = sourceOf(row)
  const key = [row.source, row.expr, range.fromMs, range.toMs, range.stepMs].join('\n')
  try {
    const asked = answers.get(key) ?? ask(row.expr, range, source)
    answers.set(key, asked)
    const answer = await asked
    return { row, ...planned, outcome: evaluate(row, row.instances, answer, planned), unit: answer.unit }
  } catch (error) {
    return { row, ...planned, error: sentenceOf(error, row, log, 'The metrics could not be read.') }
  }
}

function sentenceOf(error: unknown, { id }: AlertRow, log: AlertParts['log'], sentence: string): string {
  if (error instanceof AppError) return error.message
  log.warn({ err: error, alertId: id }, 'An alert could not be evaluated')
  return `${sentence} The next round tries again.`
}
