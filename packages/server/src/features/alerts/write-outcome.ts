import { conditionText } from '@bey/contract/alerts/rules'
import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { publish } from '../../platform/live/publish.ts'
import { alertEpisodes, type KnownCount } from '../../tables/alerts.ts'
import type { Outcome } from './evaluate.ts'
import { firingNotice, lostNotice, resolvedNotice, sendMessages, sendNotice } from './notices.ts'
import type { AlertParts } from './parts.ts'
import { isSilenced, stateOf } from './present.ts'
import { type AlertRow, clearSilence, lockAlert, updateEvaluation } from './store.ts'

/** How an evaluation ended: with an outcome, or with the sentence of why there is none. */
export type Evaluated = {
  row: AlertRow
  afterMs: number
  toMs: number
} & ({ outcome: Outcome; unit: string | null; counts?: KnownCount[] } | { error: string })

/** A pause of the evaluation that is worth saying. */
const gapMs = 3 * 60_000

/** Whether an evaluation leaves everything but its values as it was, so that many can be written at once. */
export function isUneventful({ row, ...rest }: Evaluated, now: Date): boolean {
  if (!('outcome' in rest) || row.error !== null) return false
  const { outcome } = rest
  const hasGap = row.evaluatedToMs !== null && now.getTime() - row.evaluatedToMs > gapMs
  return (
    !hasGap &&
    (rest.counts === undefined || rest.counts.length === row.counts.length) &&
    (row.silencedUntil === null || row.silencedUntil > now) &&
    outcome.fired.length === 0 &&
    outcome.resolved.length === 0 &&
    row.unit === rest.unit &&
    stateOf(row) === stateOf({ ...row, instances: outcome.instances }) &&
    row.instances.length === outcome.instances.length &&
    row.instances.every(({ state }, index) => state === outcome.instances[index]?.state)
  )
}

/** Writes values of alerts of one organization whose states stay; one that was changed meanwhile is left alone. */
export async function writeValues(
  db: Db,
  organizationId: number,
  all: readonly Evaluated[],
  now: Date,
): Promise<void> {
  const quiet = all.flatMap((each) => ('outcome' in each ? [each] : []))
  if (quiet.length === 0) return
  const of = <T>(pick: (each: (typeof quiet)[number]) => T) => sql.param(quiet.map(pick))
  await db.execute(sql`
    update alert_evaluations e set instances = g.instances::jsonb, evaluated_to_ms = g.to_ms,
      evaluated_at = ${now.toISOString()}::timestamptz
    from unnest(${of(({ row }) => row.id)}::uuid[], ${of(({ outcome }) => JSON.stringify(outcome.instances))}::text[],
      ${of(({ toMs }) => toMs)}::bigint[], ${of(({ row }) => row.evaluatedToMs)}::bigint[],
      ${of(({ row }) => row.rowVersion)}::int[]) g (id, instances, to_ms, from_ms, version)
    join alerts a on a.id = g.id and a.organization_id = ${organizationId} and a.row_version = g.version
    where e.organization_id = ${organizationId} and e.alert_id = g.id
      and e.evaluated_to_ms is not distinct from g.from_ms`)
}

/**
 * Writes an evaluation with its episodes, notices and messages, all in the caller's transaction: after a crash it happens
 * once more as a whole, or not at all. An alert that was changed or evaluated meanwhile is left alone.
 */
export async function writeOutcome(
  db: Db,
  { notify }: Pick<AlertParts, 'notify'>,
  evaluated: Evaluated,
  now: Date,
): Promise<void> {
  const { row: read, toMs } = evaluated
  const { organizationId, id } = read
  const row = await lockAlert(db, organizationId, id)
  if (!row?.isEnabled || row.rowVersion !== read.rowVersion || row.evaluatedToMs !== read.evaluatedToMs)
    return
  const silenced = isSilenced(row, now)
  if (row.silencedUntil !== null && !silenced) await clearSilence(db, organizationId, id)
  const gap =
    row.evaluatedToMs !== null && now.getTime() - row.evaluatedToMs > gapMs
      ? { gapFrom: new Date(row.evaluatedToMs), gapTo: now }
      : {}
  const before = stateOf(row)
  if ('error' in evaluated) {
    await updateEvaluation(db, organizationId, id, { error: evaluated.error, evaluatedAt: now, ...gap })
    if (row.error === null && !silenced) await sendNotice(db, notify, lostNotice(row, evaluated.error), now)
    if (row.error !== evaluated.error) await publishAlert(db, organizationId, id)
    return
  }
  const { outcome, unit, counts } = evaluated
  const { instances } = outcome
  await updateEvaluation(db, organizationId, id, {
    instances,
    unit,
    ...(counts && { counts }),
    error: null,
    evaluatedToMs: toMs,
    evaluatedAt: now,
    ...gap,
  })
  await writeEpisodes(db, row, outcome)
  if (!silenced) await notifyFiring(db, notify, row, now)
  await notifyResolved(db, notify, row, outcome, now)
  if (before !== 'no_data' && outcome.lostCount > 0 && !silenced)
    await sendNotice(db, notify, lostNotice(row, null), now)
  await publishAlert(db, organizationId, id)
}

async function publishAlert(db: Db, organizationId: number, alertId: string): Promise<void> {
  await publish(db, { organizationId, type: 'ALERTS_UPDATE', data: { alertId } })
}

async function writeEpisodes(db: Db, { organizationId, id }: AlertRow, outcome: Outcome): Promise<void> {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms))
  if (outcome.fired.length > 0) {
    await db.insert(alertEpisodes).values(
      outcome.fired.map((episode) => ({
        id: episode.id,
        organizationId,
        alertId: id,
        labels: episode.labels,
        firedAt: new Date(episode.firedAtMs),
        resolvedAt: instant(episode.resolvedAtMs),
        peak: episode.peak,
      })),
    )
  }
  const peaks = [
    ...outcome.instances.flatMap(({ episodeId, peak }) =>
      episodeId === null ? [] : [{ id: episodeId, peak, atMs: null }],
    ),
    ...outcome.resolved,
  ]
  if (peaks.length === 0) return
  await db.execute(sql`
    update alert_episodes e set peak = g.peak, resolved_at = coalesce(e.resolved_at, to_timestamp(g.at_ms / 1000.0))
    from unnest(${sql.param(peaks.map((each) => each.id))}::uuid[], ${sql.param(peaks.map(({ peak }) => peak))}::float8[],
      ${sql.param(peaks.map(({ atMs }) => atMs))}::float8[]) g (id, peak, at_ms)
    where e.organization_id = ${organizationId} and e.alert_id = ${id} and e.id = g.id`)
}

/** Everything that fires and that nobody was notified of, as after a silence. */
async function notifyFiring(db: Db, notify: AlertParts['notify'], row: AlertRow, now: Date): Promise<void> {
  const { organizationId, id } = row
  const episodes = await db
    .update(alertEpisodes)
    .set({ notifiedAt: now })
    .where(
      and(
        eq(alertEpisodes.organizationId, organizationId),
        eq(alertEpisodes.alertId, id),
        isNull(alertEpisodes.resolvedAt),
        isNull(alertEpisodes.notifiedAt),
      ),
    )
    .returning({ labels: alertEpisodes.labels, peak: alertEpisodes.peak, firedAt: alertEpisodes.firedAt })
  if (episodes.length === 0) return
  await sendNotice(db, notify, firingNotice(row, episodes, firingText(row)), now)
  await sendMessages(
    db,
    row,
    'alert.firing',
    episodes.map(({ labels, peak, firedAt }) => ({
      labels,
      value: peak,
      firedAt: firedAt.toISOString(),
      resolvedAt: null,
    })),
  )
}

/** Only of what people were notified that it fires; one notice once nothing fires any more. */
async function notifyResolved(
  db: Db,
  notify: AlertParts['notify'],
  row: AlertRow,
  { resolved, instances }: Outcome,
  now: Date,
): Promise<void> {
  if (resolved.length === 0) return
  const { organizationId, id } = row
  const { rows } = await db.execute<{
    labels: Record<string, string>
    peak: number | null
    fired_ms: number
    resolved_ms: number
  }>(sql`
    select labels, peak, extract(epoch from fired_at)::float8 * 1000 as fired_ms,
      extract(epoch from resolved_at)::float8 * 1000 as resolved_ms
    from alert_episodes where organization_id = ${organizationId} and alert_id = ${id} and notified_at is not null
      and id = any (${sql.param(resolved.map((each) => each.id))}::uuid[])`)
  const [first] = rows
  if (first === undefined) return
  if (instances.every(({ episodeId }) => episodeId === null))
    await sendNotice(db, notify, resolvedNotice(row, first.resolved_ms - first.fired_ms), now)
  await sendMessages(
    db,
    row,
    'alert.resolved',
    rows.map(({ labels, peak, fired_ms, resolved_ms }) => ({
      labels,
      value: peak,
      firedAt: new Date(fired_ms).toISOString(),
      resolvedAt: new Date(resolved_ms).toISOString(),
    })),
  )
}

function firingText({ source, expr, condition, forMs }: AlertRow): string {
  const text = conditionText(condition, forMs)
  if (source !== 'resources') return condition.kind === 'absence' ? `It has ${text}.` : `Its value: ${text}.`
  if (condition.kind === 'match')
    return `Matching "${expr}"${forMs === 0 ? '' : text.replace('matching', '')}.`
  return condition.kind === 'absence'
    ? `Nothing matches "${expr}".`
    : `Resources that match "${expr}": ${text}.`
}
