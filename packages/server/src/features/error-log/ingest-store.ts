import { createHash } from 'node:crypto'
import type { ErrorGroupStatus } from '@bey/contract'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { errorOccurrences } from '../../tables/error-occurrences.ts'
import type { Report } from './report.ts'

/** Different errors that an organization keeps apart; what comes on top is counted as one. */
const maxGroups = 1_000
/** How many of them may be errors that one and the same person alone has met, so that others' find room. */
export const maxGroupsOfOne = 200
/** Occurrences that are kept of each error. */
export const maxOccurrences = 50
const maxReleases = 50

/** Everything that one call reports of one error. */
export type Sighting = {
  fingerprint: Buffer
  culprit: string
  /** At least one; the first gives the error its message. */
  reports: readonly Report[]
  /** How many of them may be kept as occurrences; the others are only counted. */
  keep: number
}

export type RecordedSighting = { groupId: string; isRegression: boolean; message: string }

/** Stands for all errors that are too many to be kept apart. */
const overflow = {
  fingerprint: createHash('sha256').update('overflow').digest(),
  message: 'More different errors than are kept apart: the newest are counted here together',
}

type By = { userId: number; at: Date }

/**
 * Counts and keeps what was reported of one error; undefined where it is one too many, see `noteSurplus`. Call it in
 * the order of the fingerprints, so that calls do not lock each other out.
 */
export async function recordSighting(
  db: Db,
  organizationId: number,
  sighting: Sighting,
  by: By,
): Promise<RecordedSighting | undefined> {
  const [known] = await lockGroup(db, [organizationId, sighting.fingerprint])
  const isTooMany =
    known === undefined &&
    (await findIfFull(db, [organizationId, by.userId, overflow.fingerprint]))[0]?.isFull
  if (isTooMany) return undefined
  const group = await recordReports(db, organizationId, sighting, by)
  return { groupId: group.id, isRegression: known?.status === 'resolved', message: group.message }
}

/** Counts together what is too many to be kept apart. Call it after everything else, for it is locked as well. */
export async function recordSurplus(
  db: Db,
  organizationId: number,
  surplus: readonly Sighting[],
  by: By,
): Promise<RecordedSighting> {
  const reports = surplus.flatMap((sighting) => sighting.reports)
  const keep = surplus.reduce((sum, sighting) => sum + sighting.keep, 0)
  const { fingerprint, message } = overflow
  const [known] = await lockGroup(db, [organizationId, fingerprint])
  const together = { fingerprint, culprit: '', reports, keep }
  const group = await recordReports(db, organizationId, together, by, message)
  return { groupId: group.id, isRegression: known?.status === 'resolved', message: group.message }
}

async function recordReports(
  db: Db,
  organizationId: number,
  { fingerprint, culprit, reports, keep }: Sighting,
  by: By,
  message = reports[0]?.message.slice(0, 500),
): Promise<{ id: string; message: string }> {
  const [first] = reports
  if (first === undefined) throw new Error('A sighting has no report')
  const count = reports.reduce((sum, report) => sum + report.repeats, 0)
  const release = reports.at(-1)?.release ?? first.release
  const [group] = await upsertGroup(db, [
    uuidv7(),
    organizationId,
    fingerprint,
    message,
    culprit,
    first.kind,
    count,
    by.at,
    release,
  ])
  if (group === undefined) throw new Error('The error was not counted')
  await upsertHour(db, [organizationId, group.id, by.at, count])
  await upsertRelease(db, [organizationId, group.id, release, count, by.at])
  await trimReleases(db, [group.id, maxReleases])
  const [isNewUser] = await insertUser(db, [organizationId, group.id, by.userId])
  if (isNewUser) await countUser(db, [group.id])
  const kept = reports.slice(0, keep)
  if (kept.length > 0) {
    await db
      .insert(errorOccurrences)
      .values(kept.map((report) => rowOf(report, organizationId, group.id, by)))
    await trimOccurrences(db, [group.id, maxOccurrences])
  }
  return group
}

function rowOf(report: Report, organizationId: number, groupId: string, by: By) {
  const { kind, ...columns } = report
  const additionalContext = { ...report.additionalContext, kind }
  return {
    ...columns,
    additionalContext,
    id: uuidv7(),
    organizationId,
    groupId,
    userId: by.userId,
    at: by.at,
  }
}

const lockGroup = statement<{ status: ErrorGroupStatus }>(
  'error_group_lock',
  'select status from error_groups where organization_id = $1 and fingerprint = $2 for update',
)

// An error that a second user reports no longer belongs to one user; nor does the group that collects the excess.
const findIfFull = statement<{ isFull: boolean }>(
  'error_group_full',
  `select (select count(*) from (
    select 1 from error_groups where organization_id = $1 limit ${maxGroups}
  ) g) = ${maxGroups} or (select count(*) from (
    select 1 from error_users u join error_groups g on g.id = u.group_id
    where u.organization_id = $1 and u.user_id = $2 and g.user_count = 1 and g.fingerprint <> $3 limit ${maxGroupsOfOne}
  ) own) = ${maxGroupsOfOne} as "isFull"`,
)

const largest = 2_147_483_647

// A resolved error that happens again is open again, and says so.
const upsertGroup = statement<{ id: string; message: string }>(
  'error_group_upsert',
  `insert into error_groups as g (id, organization_id, fingerprint, message, culprit, kind, occurrence_count,
  first_seen_at, last_seen_at, first_release, last_release)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $9)
on conflict (organization_id, fingerprint) do update set
  occurrence_count = least(g.occurrence_count::bigint + excluded.occurrence_count, ${largest})::int,
  last_seen_at = greatest(g.last_seen_at, excluded.last_seen_at),
  last_release = excluded.last_release,
  status = case g.status when 'resolved' then 'open' else g.status end,
  regressed_at = case g.status when 'resolved' then excluded.last_seen_at else g.regressed_at end,
  status_changed_at = case g.status when 'resolved' then excluded.last_seen_at else g.status_changed_at end,
  status_changed_by = case g.status when 'resolved' then null else g.status_changed_by end
returning id, message`,
)

const upsertHour = statement(
  'error_hour_upsert',
  `insert into error_hours as h (organization_id, group_id, hour, occurrence_count)
values ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $4)
on conflict (group_id, hour) do update
set occurrence_count = least(h.occurrence_count::bigint + excluded.occurrence_count, ${largest})::int`,
)

const upsertRelease = statement(
  'error_release_upsert',
  `insert into error_releases as r (organization_id, group_id, release, occurrence_count, last_seen_at)
values ($1, $2, $3, $4, $5)
on conflict (group_id, release) do update
set occurrence_count = least(r.occurrence_count::bigint + excluded.occurrence_count, ${largest})::int,
  last_seen_at = excluded.last_seen_at`,
)

const trimReleases = statement(
  'error_release_trim',
  `delete from error_releases where group_id = $1 and release in (
  select release from error_releases where group_id = $1 order by last_seen_at desc, release offset $2
)`,
)

const insertUser = statement(
  'error_user_insert',
  `insert into error_users (organization_id, group_id, user_id) values ($1, $2, $3)
on conflict do nothing returning user_id`,
)

const countUser = statement(
  'error_user_count',
  'update error_groups set user_count = user_count + 1 where id = $1',
)

const trimOccurrences = statement(
  'error_occurrence_trim',
  `delete from error_occurrences where group_id = $1 and id in (
  select id from error_occurrences where group_id = $1 order by id desc offset $2
)`,
)
