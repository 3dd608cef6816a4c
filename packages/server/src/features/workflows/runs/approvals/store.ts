import type { Role } from '@bey/contract'
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { countUpTo } from '../../../../platform/db/totals.ts'
import { approvalDecisions, runApprovals } from '../../../../tables/run-approvals.ts'
import { stepRuns } from '../../../../tables/step-runs.ts'
import { users } from '../../../../tables/users.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import { workflows } from '../../../../tables/workflows.ts'
import { leastApprover } from './rules.ts'

export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'timed_out' | 'cancelled'

export type ApprovalFilter = {
  page: number
  limit: number
  order?: 'asc' | 'desc' | undefined
  /** Pending ones unless given; those of a run in any status. */
  status?: ApprovalStatus | undefined
  runId?: string | undefined
  /** Only what this caller may decide now. `roles` are those that may decide and that the caller's role covers. */
  decidableBy?: { userId: number; role: Role; isApprover: boolean } | undefined
}

/** Newest first, unless asked otherwise. */
export async function listApprovals(db: Db, organizationId: number, filter: ApprovalFilter) {
  const where = approvalsWhere(organizationId, filter)
  const direction = filter.order === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    selectApprovals(db)
      .where(where)
      .orderBy(direction(runApprovals.requestedAt), direction(runApprovals.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${runApprovals} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findApproval(db: Db, organizationId: number, id: string) {
  const rows = await selectApprovals(db).where(
    and(eq(runApprovals.organizationId, organizationId), eq(runApprovals.id, id)),
  )
  return rows[0]
}

/** The approval that a step waits or waited for. */
export async function findApprovalOfStep(db: Db, organizationId: number, stepRunId: string) {
  const rows = await selectApprovals(db).where(
    and(eq(runApprovals.organizationId, organizationId), eq(runApprovals.stepRunId, stepRunId)),
  )
  return rows[0]
}

export type ApprovalRow = Awaited<ReturnType<typeof findApproval>> & {}

/** Decisions of several approvals, the first first. */
export function listDecisions(db: Db, organizationId: number, approvalIds: readonly string[]) {
  return db
    .select({
      approvalId: approvalDecisions.approvalId,
      userId: approvalDecisions.userId,
      name: users.name,
      email: users.email,
      decision: approvalDecisions.decision,
      comment: approvalDecisions.comment,
      form: approvalDecisions.form,
      at: approvalDecisions.at,
    })
    .from(approvalDecisions)
    .innerJoin(users, eq(users.id, approvalDecisions.userId))
    .where(
      and(
        eq(approvalDecisions.organizationId, organizationId),
        inArray(approvalDecisions.approvalId, [...approvalIds]),
      ),
    )
    .orderBy(asc(approvalDecisions.at))
}

export type Decider = { approvalId: string; userId: number; name: string; email: string; total: number }

const mostDeciders = 20

/** Members who may still decide pending approvals, by name; at most 20 of each, with how many there are of all. */
export async function listDeciders(
  db: Db,
  organizationId: number,
  approvalIds: readonly string[],
): Promise<Decider[]> {
  if (approvalIds.length === 0) return []
  const { rows } = await db.execute<Decider>(sql`
    select "approvalId", "userId", name, email, total::int from (
      select a.id as "approvalId", u.id as "userId", u.name, u.email,
        count(*) over (partition by a.id) as total,
        row_number() over (partition by a.id order by u.name, u.id) as place
      from run_approvals a
      join memberships m on m.organization_id = a.organization_id
      join users u on u.id = m.user_id
      where a.organization_id = ${organizationId} and a.id in ${[...approvalIds]} and a.status = 'pending'
        and ${mayDecide(sql`m.user_id`, sql`m.role`)}
    ) deciders where place <= ${mostDeciders} order by place`)
  return rows
}

// The same rule as `approvalDeniedReason`, of an approval `a` and a member.
function mayDecide(userId: SQL, role: SQL): SQL {
  const order = sql`array['VIEWER', 'MEMBER', 'ADMIN', 'OWNER']`
  return sql`(${userId} is distinct from a.requested_by or (a.approvers ->> 'allowsRequester')::boolean)
    and (
      a.approvers -> 'userIds' @> to_jsonb(${userId})
      or array_position(${order}, coalesce(
        a.approvers ->> 'role',
        case when a.approvers -> 'userIds' = '[]'::jsonb then ${leastApprover}::text end
      )) <= array_position(${order}, ${role})
    )
    and not exists (
      select 1 from approval_decisions d where d.approval_id = a.id and d.user_id = ${userId}
    )`
}

/** Names of users by their ids. */
export async function namesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function approvalsWhere(organizationId: number, filter: ApprovalFilter): SQL | undefined {
  const status = filter.status ?? (filter.runId === undefined ? 'pending' : undefined)
  return and(
    eq(runApprovals.organizationId, organizationId),
    status === undefined ? undefined : eq(runApprovals.status, status),
    filter.runId === undefined ? undefined : eq(runApprovals.runId, filter.runId),
    filter.decidableBy && decidableBy(filter.decidableBy),
  )
}

// The same rule as `approvalDeniedReason`, over many rows.
function decidableBy({ userId, role, isApprover }: NonNullable<ApprovalFilter['decidableBy']>): SQL {
  const { approvers } = runApprovals
  return sql`(
    ${runApprovals.status} = 'pending'
    and (${runApprovals.requestedBy} is distinct from ${userId} or (${approvers} ->> 'allowsRequester')::boolean)
    and (
      ${approvers} -> 'userIds' @> ${JSON.stringify([userId])}::jsonb
      or case
        when ${approvers} ->> 'role' is not null
          then array_position(array['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'], ${approvers} ->> 'role')
            <= array_position(array['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'], ${role}::text)
        else ${isApprover}::boolean and ${approvers} -> 'userIds' = '[]'::jsonb
      end
    )
    and not exists (
      select 1 from ${approvalDecisions} d where d.approval_id = ${runApprovals.id} and d.user_id = ${userId}
    )
  )`
}

function selectApprovals(db: Db) {
  return db
    .select({
      id: runApprovals.id,
      workflowId: workflowRuns.workflowId,
      workflowName: workflows.name,
      runId: runApprovals.runId,
      stepKey: stepRuns.key,
      stepName: stepRuns.name,
      status: runApprovals.status,
      question: runApprovals.question,
      details: runApprovals.details,
      facts: runApprovals.facts,
      plan: runApprovals.plan,
      form: runApprovals.form,
      neededCount: runApprovals.neededCount,
      approvers: runApprovals.approvers,
      onTimeout: runApprovals.onTimeout,
      requestedBy: runApprovals.requestedBy,
      requestedByName: users.name,
      requestedByEmail: users.email,
      requestedAt: runApprovals.requestedAt,
      expiresAt: runApprovals.expiresAt,
      remindedAt: runApprovals.remindedAt,
    })
    .from(runApprovals)
    .innerJoin(stepRuns, eq(stepRuns.id, runApprovals.stepRunId))
    .innerJoin(workflowRuns, eq(workflowRuns.id, runApprovals.runId))
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .leftJoin(users, eq(users.id, runApprovals.requestedBy))
    .$dynamic()
}
