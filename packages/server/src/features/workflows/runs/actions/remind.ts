import type { Approval } from '@bey/contract'
import { reminderDeniedReason } from '@bey/contract'
import { eq } from 'drizzle-orm'

import { act, type Member } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { runApprovals } from '../../../../tables/run-approvals.ts'
import { presentApprovals } from '../approvals/reads.ts'
import { findApproval } from '../approvals/store.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { lockRun } from '../store.ts'

/**
 * Notifies those who may still decide an approval again. Throws AppError `conflict` where it is decided, nobody may decide
 * it, or they were reminded within the last hour.
 */
export function remind(
  parts: WorkflowParts,
  who: Member,
  approvalId: string,
): Promise<{ approval: Approval }> {
  const { organizationId, user, role } = who
  const reader = { userId: user.id, role }
  return parts.database.withTenant(organizationId, async (db) => {
    const found = (await findApproval(db, organizationId, approvalId)) ?? missing('approval')
    // Two who remind at once are one reminder.
    await lockRun(db, found.runId)
    const read = async () => {
      const row = (await findApproval(db, organizationId, approvalId)) ?? missing('approval')
      const [approval = missing('approval')] = await presentApprovals(db, organizationId, [row], reader)
      return approval
    }
    const before = await read()
    const now = parts.clock.now()
    const denied = reminderDeniedReason(before, now.getTime())
    if (denied !== undefined) throw new AppError('conflict', denied)
    await db.update(runApprovals).set({ remindedAt: now }).where(eq(runApprovals.id, approvalId))
    await parts.onApproval?.(db, { id: approvalId, organizationId, remindedBy: user.name })
    await act(db, who, {
      action: 'workflow_run.remind',
      class: 'execute',
      target: { type: 'workflow_run', id: before.runId, name: before.workflowName },
      runId: before.runId,
      diff: { step: before.stepKey, question: before.question, reminded: before.decidersTotal },
    })
    return keepReply(db, { approval: await read() })
  })
}
