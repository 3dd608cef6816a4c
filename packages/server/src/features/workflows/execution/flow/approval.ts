import type { Role } from '@bey/contract'

import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { runApprovals } from '../../../../tables/run-approvals.ts'
import { conclude } from '../conclude.ts'
import type { Execution } from '../execution.ts'
import type { Look } from '../look.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'

type ApprovalConfig = {
  question: string
  details?: string
  facts?: Record<string, unknown> | { name: string; value: unknown }[]
  plan?: string
  approvers?: { role?: Role; users?: number[]; allow_requester?: boolean }
  count?: number
  form?: Record<string, unknown>
  timeout_ms?: number
  on_timeout?: 'reject' | 'approve' | 'fail'
}

/** Asks people and waits for their decision. */
export async function beginApproval(
  x: Execution,
  db: Db,
  begin: Extract<Look, { kind: 'begin' }>,
  key: string,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { run, step } = begin
  const asked = config as ApprovalConfig
  const now = x.parts.clock.now()
  const until = asked.timeout_ms === undefined ? null : new Date(now.getTime() + asked.timeout_ms)
  const users = asked.approvers?.users ?? []
  const role = asked.approvers?.role ?? (users.length > 0 ? null : 'ADMIN')
  const neededCount = asked.count ?? 1
  if (role === null && users.length < neededCount) {
    const error = { message: `${neededCount} people have to approve, and only ${users.length} may.` }
    const event = await conclude(x, db, run, key, step, { result: 'failed', error })
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
    approvers: { role, userIds: users, allowsRequester: asked.approvers?.allow_requester ?? false },
    onTimeout: asked.on_timeout ?? 'reject',
    requestedBy: run.createdBy,
    requestedAt: now,
    expiresAt: until,
  })
  await x.parts.onApproval?.(db, { id, organizationId })
  return beginWaiting(x, db, begin, { note: `Waits for approval: ${asked.question}`, until, input: recorded })
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
