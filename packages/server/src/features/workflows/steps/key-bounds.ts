import { coversResources, type KeyResource, type Permission, type Role, roleHas } from '@bey/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { apiKeys } from '../../../tables/api-keys.ts'
import { memberships } from '../../../tables/memberships.ts'

/** What the API keys of a run follow from. */
export type RunKeys = {
  organizationId: number
  /** The key that started it. */
  keyId?: string | null | undefined
  /** The keys that saved what it executes: its version, and those of the runs that it is a part of. */
  authorKeyIds?: readonly string[] | undefined
  /** The run, or the one that it is to be a part of. */
  runId?: string | undefined
  /** The version that it is to execute, while it has not been made. */
  executes?: { workflowId: string; version: number } | undefined
}

/** One API key that bounds a run; `found` is undefined once the key is gone. */
type Bound = {
  id: string
  as: 'starter' | 'author'
  found:
    | { name: string; permissions: readonly Permission[]; role: Role; resources: readonly KeyResource[] }
    | undefined
}

/**
 * Answers for a permission why an API key of the run does not give it, as a sentence; undefined where all of them do.
 * `touched`: what the step acts on, which a key that saved it and is limited to some things must be limited to; it is not
 * looked at unless given, before a run.
 */
type ReasonOfKeys = (permission: Permission, touched?: readonly KeyResource[]) => Promise<string | undefined>

/** A key that was revoked or has expired since bounds its runs as before; one that is gone allows nothing. */
export async function keyBounds(db: Db, run: RunKeys): Promise<ReasonOfKeys> {
  const bounds = await readBounds(db, run)
  return async (permission, touched) => {
    const refusing = bounds.find(({ found }) => found === undefined || !holds(found, permission))
    if (refusing !== undefined) return reasonOf(db, run, refusing, permission)
    const limited = bounds.find(({ as, found }) => as === 'author' && found && isOutside(found, touched))
    return limited && outsideOf(db, run, limited)
  }
}

/**
 * Why a step may not use a secret because of the API keys that saved it, as a sentence; undefined where it may. Such a key
 * must reveal secrets or be granted the use of this one: a step sends a value wherever it says. `isGranted` answers for the
 * id of a key.
 */
export async function whyNotSecret(
  db: Db,
  run: RunKeys,
  secret: { id: string; name: string },
  isGranted: (keyId: string) => boolean,
): Promise<string | undefined> {
  const bounds = await readBounds(db, { ...run, keyId: undefined })
  const refusing = bounds.find(({ id, found }) => {
    const reveals =
      found !== undefined &&
      holds(found, 'secrets.reveal') &&
      coversResources(found.resources, [{ type: 'secret', id: secret.id }])
    return !reveals && !(found !== undefined && isGranted(id))
  })
  if (refusing === undefined) return undefined
  const name = refusing.found === undefined ? '' : ` "${refusing.found.name}"`
  const saved = await savedBy(db, run, refusing.id)
  return `The API key${name}, which saved ${saved}, may not use the secret "${secret.name}". ${secretRemedy}`
}

/** What to do where a key saves a step that uses a secret. */
export const secretRemedy = 'Grant the key the use of this secret, or let a person save the workflow.'

const holds = (
  { role, permissions }: { role: Role; permissions: readonly Permission[] },
  asked: Permission,
) => roleHas(role, asked) && permissions.includes(asked)

const isOutside = (
  { resources }: { resources: readonly KeyResource[] },
  touched: readonly KeyResource[] | undefined,
) => touched !== undefined && !coversResources(resources, touched)

async function outsideOf(db: Db, run: RunKeys, { id, found }: Bound): Promise<string> {
  const saved = await savedBy(db, run, id)
  return `The API key "${found?.name}", which saved ${saved}, is limited to other things than this step acts on. A key without this limit or a person can save the workflow again.`
}

async function readBounds(db: Db, { organizationId, keyId, authorKeyIds = [] }: RunKeys): Promise<Bound[]> {
  const asked = [
    ...(keyId == null ? [] : [{ id: keyId, as: 'starter' as const }]),
    ...authorKeyIds.map((id) => ({ id, as: 'author' as const })),
  ]
  if (asked.length === 0) return []
  const ids = [...new Set(asked.map(({ id }) => id))]
  const rows = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      permissions: apiKeys.permissions,
      resources: apiKeys.resources,
      // A personal key is bounded by what its owner may do today.
      role: sql<Role>`coalesce(${memberships.role}, ${apiKeys.role})`,
    })
    .from(apiKeys)
    .leftJoin(
      memberships,
      and(eq(memberships.organizationId, apiKeys.organizationId), eq(memberships.userId, apiKeys.ownerId)),
    )
    .where(and(eq(apiKeys.organizationId, organizationId), inArray(apiKeys.id, ids)))
  return asked.map((each) => ({ ...each, found: rows.find(({ id }) => id === each.id) }))
}

async function reasonOf(
  db: Db,
  run: RunKeys,
  { id, as, found }: Bound,
  permission: Permission,
): Promise<string> {
  const saved = as === 'starter' ? undefined : await savedBy(db, run, id)
  const did = saved === undefined ? 'started this run' : `saved ${saved}`
  const remedy =
    saved === undefined
      ? 'A key that has it or a person can start the run.'
      : 'A key that has it or a person can save the workflow again, and answers for its steps from then on.'
  if (found === undefined)
    return `The API key that ${did} is gone. ${remedy.replace('A key that has it', 'Another key')}`
  const why = found.permissions.includes(permission)
    ? `is bounded by the role ${found.role}, which does not hold the permission ${permission}`
    : `was not given the permission ${permission}`
  return `The API key "${found.name}", which ${did}, ${why}. ${remedy}`
}

/** Names the version of a workflow by which a key bounds a run. */
async function savedBy(db: Db, { organizationId, runId, executes }: RunKeys, keyId: string): Promise<string> {
  // A step that is tested is part of no run.
  if (runId === undefined && executes === undefined) return 'this step'
  const { rows } = await db.execute<{ name: string; version: number }>(sql`
    with recursive line as (
      select id, parent_run_id, workflow_id, workflow_version as version, 1 as depth
      from workflow_runs where organization_id = ${organizationId} and id = ${runId ?? null}
      union all
      select r.id, r.parent_run_id, r.workflow_id, r.workflow_version, l.depth + 1
      from workflow_runs r join line l on r.id = l.parent_run_id where l.depth < 50
    ), executed as (
      select workflow_id, version, depth from line
      union all select ${executes?.workflowId ?? null}::uuid, ${executes?.version ?? null}::int, 0
    )
    select w.name, v.version
    from executed e join workflow_versions v using (workflow_id, version) join workflows w on w.id = v.workflow_id
    where v.organization_id = ${organizationId} and v.key_id = ${keyId}
    order by e.depth limit 1`)
  const [found] = rows
  return found === undefined
    ? 'a workflow that this run is a part of'
    : `version ${found.version} of "${found.name}"`
}
