import type { Role } from '@bey/contract'
import { and, eq, inArray } from 'drizzle-orm'

import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { memberships } from '../../../../tables/memberships.ts'
import { runApprovals } from '../../../../tables/run-approvals.ts'
import { users } from '../../../../tables/users.ts'
import { endStep } from '../end-step.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'

type ApprovalConfig = {
  question: string
  details?: string
  facts?: Record<string, unknown> | { name: string; value: unknown }[]
  plan?: string
  /** `users` are e-mail addresses of members. */
  approvers?: { role?: Role; users?: string[]; allow_requester?: boolean }
  count?: number
  form?: Record<string, unknown>
  timeout_ms?: number
  on_timeout?: 'reject' | 'approve' | 'fail'
}

/** Asks people and waits for their decision. */
export async function beginApproval(
  x: Execution,
  db: Db,
  begin: Extract<StepDecision, { kind: 'begin' }>,
  key: string,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { run, step } = begin
  const asked = config as ApprovalConfig
  const now = x.parts.clock.now()
  const until = asked.timeout_ms === undefined ? null : new Date(now.getTime() + asked.timeout_ms)
  const named = asked.approvers?.users ?? []
  const approverIds = await membersOf(db, x.ref.organizationId, named)
  const role = asked.approvers?.role ?? null
  const neededCount = asked.count ?? 1
  if (role === null && named.length > 0 && approverIds.length < neededCount) {
    const message = `${neededCount} people have to approve, and ${approverIds.length} of those who are named are members of the organization.`
    const event = await endStep(x, db, run, key, step, { result: 'failed', error: { message } })
    return { kind: 'event', event }
  }
  const id = uuidv7()
  const { organizationId } = x.ref
  await db.insert(runApprovals).values({
    id,
    organizationId,
    runId: run.id,
    stepRunId: step.id,
    question: asked.question,
    details: asked.details ?? '',
    facts: factsOf(asked.facts),
    plan: asked.plan ?? '',
    form: asked.form ?? null,
    neededCount,
    approvers: { role, userIds: approverIds, allowsRequester: asked.approvers?.allow_requester ?? false },
    onTimeout: asked.on_timeout ?? 'reject',
    requestedBy: run.createdBy,
    requestedAt: now,
    expiresAt: until,
  })
  await x.parts.onApproval?.(db, { id, organizationId })
  return beginWaiting(x, db, begin, { note: `Waits for approval: ${asked.question}`, until, input: recorded })
}

/** Ids of the members with these e-mail addresses. */
async function membersOf(db: Db, organizationId: number, emails: readonly string[]): Promise<number[]> {
  if (emails.length === 0) return []
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        inArray(
          users.email,
          emails.map((email) => email.trim().toLowerCase()),
        ),
      ),
    )
  return rows.map(({ id }) => id)
}

function factsOf(facts: ApprovalConfig['facts']): { name: string; value: string }[] {
  const list = Array.isArray(facts)
    ? facts
    : Object.entries(facts ?? {}).map(([name, value]) => ({ name, value }))
  return list.map(({ name, value }) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}
