import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import { billingBounds } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'

import type { Db } from '../db/database.ts'

/** Whom usage belongs to. Names are those of the time of use; what is not known is left out. */
export type UsageSubject = {
  cluster?: { id: number; name: string } | undefined
  namespace?: string | undefined
  /** `Kind/name`. */
  workload?: string | undefined
  resource?: { id: string; name: string } | undefined
  owner?: { id: number; name: string } | undefined
  person?: { id: number; name: string } | undefined
  /** Of a node: what its price may depend on. */
  provider?: string | undefined
  region?: string | undefined
  nodeType?: string | undefined
  /** The first 16 by their keys are kept, each cut to 128 characters. */
  labels?: Readonly<Record<string, string>> | undefined
}

export type UsageEvent = {
  /** Who measured it. An event whose source and id were recorded before is ignored. */
  source: string
  id: string
  meter: UsageMeter
  /** Decimal text; negative in a correction. */
  value: string
  /** When it was used. What lies ahead of the clock of the database is recorded as of now. */
  at: Date
  subject: UsageSubject
  isSeeded?: boolean
}

/** A number as the ledger takes it: 9 digits after the point. */
export const quantity = (value: number): string => value.toFixed(9)

/**
 * Writes usage into the ledger, in the transaction that causes it. Answers how many events were new: an event that
 * arrives twice counts once.
 */
export async function recordUsage(
  db: Db,
  organizationId: number,
  events: readonly UsageEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  const subjects = new Map<string, UsageSubject>()
  const keys = events.map(({ subject }) => {
    const known = subjectKeys.get(subject)
    const key = known ?? keyOf(subject)
    if (known === undefined) subjectKeys.set(subject, key)
    subjects.set(key, subject)
    return key
  })
  const ids = await subjectIds(db, organizationId, subjects)
  const { rows } = await db.execute<{ count: number }>(sql`
    with given as (
      select * from unnest(${texts(events.map(({ source }) => source))}, ${texts(events.map(({ id }) => id))},
        ${texts(events.map(({ meter }) => meter))},
        ${sql.param(keys.map((key) => String(ids.get(key))))}::bigint[],
        ${sql.param(events.map(({ value }) => value))}::numeric[],
        ${sql.param(events.map(({ at }) => at.toISOString()))}::timestamptz[],
        ${sql.param(events.map(({ isSeeded }) => isSeeded ?? false))}::boolean[])
        g (source, event_id, meter, subject_id, value, at, is_seeded)
    ), made as (
      insert into usage_events (organization_id, source, event_id, meter, subject_id, value, at, is_seeded)
      select ${organizationId}, source, event_id, meter, subject_id, value, least(at, now()), is_seeded from given
      on conflict (organization_id, source, event_id) do nothing
      returning seq, meter, subject_id, value, at
    ), waiting as (
      insert into usage_pending (organization_id, seq, meter, subject_id, value, at)
      select ${organizationId}, seq, meter, subject_id, value, at from made returning 1
    )
    select count(*)::int as count from waiting`)
  return rows[0]?.count ?? 0
}

const texts = (values: readonly string[]) => sql`${sql.param(values)}::text[]`

/** Keys of subjects that callers hold on to, such as those of a collector. */
const subjectKeys = new WeakMap<UsageSubject, string>()

async function subjectIds(
  db: Db,
  organizationId: number,
  subjects: ReadonlyMap<string, UsageSubject>,
): Promise<Map<string, number>> {
  // In one order everywhere: writers who add the same subjects wait for one another, and never in a circle.
  const keys = [...subjects.keys()].sort()
  const found = await findIds(db, organizationId, keys)
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length === 0) return found
  const rows = missing.map((key) => rowOf(key, subjects.get(key) ?? {}))
  await db.execute(sql`
    insert into usage_subjects (organization_id, key, cluster_id, cluster_name, namespace, workload, resource_id,
      resource_name, owner_id, owner_name, person_id, person_name, provider, region, node_type, labels)
    select ${organizationId}, key, cluster_id, cluster_name, namespace, workload, resource_id, resource_name, owner_id,
      owner_name, person_id, person_name, provider, region, node_type, labels
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) g (key uuid, cluster_id int, cluster_name text,
      namespace text, workload text, resource_id text, resource_name text, owner_id int, owner_name text,
      person_id int, person_name text, provider text, region text, node_type text, labels jsonb)
    on conflict (organization_id, key) do nothing`)
  return new Map([...found, ...(await findIds(db, organizationId, missing))])
}

async function findIds(
  db: Db,
  organizationId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ key: string; id: string }>(sql`
    select key, id from usage_subjects
    where organization_id = ${organizationId} and key = any(${sql.param(keys)}::uuid[])`)
  return new Map(rows.map(({ key, id }) => [key, Number(id)]))
}

function rowOf(key: string, subject: UsageSubject) {
  const { cluster, resource, owner, person } = subject
  return {
    key,
    cluster_id: cluster?.id,
    cluster_name: cluster?.name,
    namespace: subject.namespace,
    workload: subject.workload,
    resource_id: resource?.id,
    resource_name: resource?.name,
    owner_id: owner?.id,
    owner_name: owner?.name,
    person_id: person?.id,
    person_name: person?.name,
    provider: subject.provider,
    region: subject.region,
    node_type: subject.nodeType,
    labels: boundedLabels(subject.labels),
  }
}

function boundedLabels(labels: UsageSubject['labels']): Record<string, string> {
  const cut = (text: string) => text.slice(0, billingBounds.maxLabelLength)
  return Object.fromEntries(
    Object.entries(labels ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, billingBounds.maxLabels)
      .map(([key, value]) => [cut(key), cut(value)]),
  )
}

/** A UUID of everything that a subject says: the same for the same names. */
function keyOf(subject: UsageSubject): string {
  const { key: _none, ...row } = rowOf('', subject)
  const hash = createHash('sha256')
    .update(JSON.stringify(Object.entries(row).map(([name, value]) => [name, value ?? null])))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`
}
