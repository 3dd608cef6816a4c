import type { WorkflowDefinitionBody, WorkflowState } from '@bey/contract'
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { countUpTo } from '../../../platform/db/totals.ts'
import { apiKeys } from '../../../tables/api-keys.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflowVersions } from '../../../tables/workflow-versions.ts'
import { workflows } from '../../../tables/workflows.ts'

export type NewVersion = {
  organizationId: number
  workflowId: string
  version: number
  definition: WorkflowDefinitionBody
  checksum: string
  reason: string
  createdBy: number
  keyId: string | null
  createdAt: Date
}

/** What the row of a workflow repeats of its current version, for lists. */
const ofDefinition = (definition: WorkflowDefinitionBody) => ({
  name: definition.name,
  description: definition.description,
  type: definition.type,
  tags: definition.tags,
  definition,
})

export async function insertWorkflow(db: Db, state: WorkflowState, first: NewVersion): Promise<void> {
  await db.insert(workflows).values({
    id: first.workflowId,
    organizationId: first.organizationId,
    ...ofDefinition(first.definition),
    state,
    currentVersion: first.version,
    createdBy: first.createdBy,
    createdAt: first.createdAt,
  })
  await db.insert(workflowVersions).values(first)
}

export async function insertVersion(db: Db, next: NewVersion): Promise<void> {
  await db.insert(workflowVersions).values(next)
  await db
    .update(workflows)
    .set({ ...ofDefinition(next.definition), currentVersion: next.version })
    .where(and(eq(workflows.organizationId, next.organizationId), eq(workflows.id, next.workflowId)))
}

/** The row, locked until the transaction ends. */
export async function lockWorkflow(db: Db, organizationId: number, id: string) {
  const rows = await db
    .select({
      id: workflows.id,
      name: workflows.name,
      builtIn: workflows.builtIn,
      state: workflows.state,
      stateBefore: workflows.stateBefore,
      deletedAt: workflows.deletedAt,
      version: workflows.currentVersion,
    })
    .from(workflows)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
    .for('update')
  return rows[0]
}

export async function setWorkflowState(
  db: Db,
  organizationId: number,
  id: string,
  state: WorkflowState,
): Promise<void> {
  await db
    .update(workflows)
    .set({ state })
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
}

/** Marks a workflow as deleted at a time and archives it, or, with null, takes that back. */
export async function markDeleted(
  db: Db,
  organizationId: number,
  { id, state, stateBefore }: { id: string; state: WorkflowState; stateBefore: WorkflowState | null },
  deletedAt: Date | null,
): Promise<void> {
  const next =
    deletedAt === null
      ? { state: stateBefore ?? state, stateBefore: null, deletedAt }
      : { state: 'archived' as const, stateBefore: state, deletedAt }
  await db
    .update(workflows)
    .set(next)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
}

/** Workflows that were deleted before a time. */
export function listDeletedBefore(db: Db, before: Date) {
  return db
    .select({ organizationId: workflows.organizationId, id: workflows.id })
    .from(workflows)
    .where(lt(workflows.deletedAt, before))
    .limit(100)
}

const versionColumns = {
  version: workflowVersions.version,
  reason: workflowVersions.reason,
  checksum: workflowVersions.checksum,
  createdAt: workflowVersions.createdAt,
  createdBy: workflowVersions.createdBy,
  keyId: workflowVersions.keyId,
  keyName: apiKeys.name,
  createdByName: users.name,
  createdByEmail: users.email,
}

const ofVersion = and(
  eq(apiKeys.organizationId, workflowVersions.organizationId),
  eq(apiKeys.id, workflowVersions.keyId),
)

export type VersionRow = Awaited<ReturnType<typeof listVersions>>['rows'][number]

export async function listVersions(
  db: Db,
  organizationId: number,
  workflowId: string,
  { page, limit }: { page: number; limit: number },
) {
  const where = and(
    eq(workflowVersions.organizationId, organizationId),
    eq(workflowVersions.workflowId, workflowId),
  )
  const [rows, total] = await Promise.all([
    db
      .select(versionColumns)
      .from(workflowVersions)
      .leftJoin(users, eq(users.id, workflowVersions.createdBy))
      .leftJoin(apiKeys, ofVersion)
      .where(where)
      .orderBy(desc(workflowVersions.version))
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(db, sql`select 1 from ${workflowVersions} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findVersion(db: Db, organizationId: number, workflowId: string, version: number) {
  const rows = await db
    .select({ ...versionColumns, definition: workflowVersions.definition })
    .from(workflowVersions)
    .leftJoin(users, eq(users.id, workflowVersions.createdBy))
    .leftJoin(apiKeys, ofVersion)
    .where(
      and(
        eq(workflowVersions.organizationId, organizationId),
        eq(workflowVersions.workflowId, workflowId),
        eq(workflowVersions.version, version),
      ),
    )
  return rows[0]
}

/** How many runs of a workflow have not ended. */
export function countOpenRuns(db: Db, organizationId: number, workflowId: string): Promise<number> {
  return db.$count(
    workflowRuns,
    and(
      eq(workflowRuns.organizationId, organizationId),
      eq(workflowRuns.workflowId, workflowId),
      sql`${workflowRuns.finishedAt} is null`,
    ),
  )
}

export async function someRunIds(db: Db, organizationId: number, workflowId: string, limit: number) {
  const rows = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.organizationId, organizationId), eq(workflowRuns.workflowId, workflowId)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function deleteRuns(db: Db, organizationId: number, ids: string[]): Promise<void> {
  await db
    .delete(workflowRuns)
    .where(and(eq(workflowRuns.organizationId, organizationId), inArray(workflowRuns.id, ids)))
}

export async function deleteWorkflowRow(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(workflows).where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
}
