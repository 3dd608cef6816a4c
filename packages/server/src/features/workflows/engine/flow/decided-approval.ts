import { asc, eq } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { approvalDecisions, runApprovals } from '../../../../tables/run-approvals.ts'
import { users } from '../../../../tables/users.ts'
import type { StepRow } from '../../runs/store.ts'
import type { StepEnd } from '../end-step.ts'

/** How an approval ends its step; undefined while nobody has decided and there is time left. */
export async function decidedApproval(
  db: Db,
  step: StepRow,
  isDue: boolean,
  now: Date,
): Promise<StepEnd | undefined> {
  const [approval] = await db
    .select({ id: runApprovals.id, status: runApprovals.status, onTimeout: runApprovals.onTimeout })
    .from(runApprovals)
    .where(eq(runApprovals.stepRunId, step.id))
  if (approval === undefined) return { result: 'failed', error: { message: 'The approval is gone.' } }
  if (approval.status === 'pending') {
    if (!isDue) return undefined
    await db
      .update(runApprovals)
      .set({ status: approval.onTimeout === 'approve' ? 'approved' : 'timed_out', finishedAt: now })
      .where(eq(runApprovals.id, approval.id))
    return timedOut(approval.onTimeout)
  }
  const decisions = await db
    .select({
      decision: approvalDecisions.decision,
      comment: approvalDecisions.comment,
      form: approvalDecisions.form,
      name: users.name,
    })
    .from(approvalDecisions)
    .leftJoin(users, eq(users.id, approvalDecisions.userId))
    .where(eq(approvalDecisions.approvalId, approval.id))
    .orderBy(asc(approvalDecisions.at))
  const last = decisions.at(-1)
  const output = {
    approved: approval.status === 'approved',
    form: last?.form ?? {},
    decisions: decisions.map(({ name, decision, comment }) => {
      return { by: name ?? 'Former member', decision, comment }
    }),
  }
  if (approval.status === 'approved') return { result: 'succeeded', output }
  const because = last?.comment ? `: ${last.comment}` : '.'
  const message = `${last?.name ?? 'A former member'} rejected it${because}`
  return { result: 'failed', output, error: { message } }
}

function timedOut(onTimeout: 'reject' | 'approve' | 'fail'): StepEnd {
  const message = 'Nobody decided in time.'
  if (onTimeout === 'approve') {
    return { result: 'succeeded', output: { approved: true, form: {}, decisions: [] }, note: message }
  }
  return { result: onTimeout === 'fail' ? 'timed_out' : 'failed', error: { message } }
}
