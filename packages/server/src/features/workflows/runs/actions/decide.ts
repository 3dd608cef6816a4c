import type { Approval } from '@bey/contract'
import { eq } from 'drizzle-orm'

import { act, type Member } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { approvalDecisions, runApprovals } from '../../../../tables/run-approvals.ts'
import { presentApprovals } from '../approvals/reads.ts'
import { approvalDeniedReason } from '../approvals/rules.ts'
import { findApproval } from '../approvals/store.ts'
import type { Json } from '../../definition/definition.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { lockRun } from '../store.ts'
import { checkedInput } from '../starting/check-input.ts'

type Decision = { decision: 'approve' | 'reject'; comment: string; form?: Json | undefined }

/**
 * Approves or rejects for a person who may; one rejection ends it, and as many approvals as are needed. Throws AppError
 * `conflict` where it is decided already, and says by whom; `forbidden` where the person may not decide.
 */
export function decide(
  parts: WorkflowParts,
  who: Member,
  approvalId: string,
  { decision, comment, form }: Decision,
): Promise<{ approval: Approval }> {
  const { organizationId, user, role } = who
  const reader = { userId: user.id, role }
  return parts.database.withTenant(organizationId, async (db) => {
    const found = (await findApproval(db, organizationId, approvalId)) ?? missing('approval')
    // The run's lock is that of the step that waits: nobody decides while it looks.
    await lockRun(db, found.runId)
    const row = (await findApproval(db, organizationId, approvalId)) ?? missing('approval')
    const [before = missing('approval')] = await presentApprovals(db, organizationId, [row], reader)
    const asked = { ...row, status: 'pending', decisions: [] }
    const forbidden = approvalDeniedReason(asked, reader, before.approvers)
    if (forbidden !== undefined) throw new AppError('forbidden', forbidden)
    if (before.deniedReason !== null) throw new AppError('conflict', before.deniedReason)
    const now = parts.clock.now()
    const filled =
      row.form === null || decision === 'reject' ? form : checkedInput(row.form, form ?? {}, 'form')
    await db.insert(approvalDecisions).values({
      organizationId,
      approvalId,
      userId: user.id,
      decision,
      comment,
      form: filled ?? null,
      at: now,
    })
    const approvals = before.decisions.filter((each) => each.decision === 'approve').length
    const isDecided = decision === 'reject' || approvals + 1 >= row.neededCount
    if (isDecided) {
      const status = decision === 'reject' ? 'rejected' : 'approved'
      await db.update(runApprovals).set({ status, finishedAt: now }).where(eq(runApprovals.id, approvalId))
      await parts.engine.wakeRun(db, row.runId)
    }
    const target = { type: 'workflow_run', id: row.runId, name: row.workflowName }
    const diff = { step: row.stepKey, question: row.question, decision, comment }
    await act(db, who, {
      action: `workflow_run.${decision}`,
      class: 'execute',
      target,
      runId: row.runId,
      diff,
    })
    const after = (await findApproval(db, organizationId, approvalId)) ?? missing('approval')
    const [approval = missing('approval')] = await presentApprovals(db, organizationId, [after], reader)
    return keepReply(db, { approval })
  })
}
