import { notificationBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { AskedApproval, Publish } from '../workflows/ports.ts'

/**
 * Notifies everybody who may decide an approval that it waits, in the transaction that asks: with the way to its page.
 * Members of the least role and named users; not who started the run, unless they may decide themselves, and not who
 * decided already. A reminder names who asks again.
 */
export function approvalNotices({ publish, clock }: { publish: Publish; clock: Clock }) {
  return async (db: Db, approval: AskedApproval): Promise<void> => {
    const { id, organizationId, remindedBy = null } = approval
    // Held, so that none can go between this and the check of the foreign key.
    const approvers = await holdApprovers(db, [id])
    const userIds = approvers.map(({ userId }) => userId)
    if (userIds.length === 0) return
    await insertNotices(db, [id, uuidv7(), clock.now(), userIds, remindedBy])
    await publish(
      db,
      userIds.map((userId) => ({ organizationId, type: 'NOTIFICATIONS_UPDATE' as const, data: { userId } })),
    )
  }
}

const holdApprovers = statement<{ userId: number }>(
  'approvers_to_tell',
  `select m.user_id as "userId"
  from run_approvals a
  join memberships m on m.organization_id = a.organization_id
  where a.id = $1 and a.status = 'pending'
    and (m.user_id is distinct from a.requested_by or (a.approvers ->> 'allowsRequester')::boolean)
    and (
      a.approvers -> 'userIds' @> to_jsonb(m.user_id)
      or array_position(array['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'], a.approvers ->> 'role')
        <= array_position(array['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'], m.role)
    )
    and not exists (
      select 1 from approval_decisions d where d.approval_id = a.id and d.user_id = m.user_id
    )
  for key share of m`,
)

// Ids are unique for their user alone.
const insertNotices = statement(
  'notification_of_approval',
  `insert into notifications (organization_id, user_id, id, kind, level, title, detail, href, at)
  select a.organization_id, user_id, $2, 'approval', 'info', left(a.question, ${notificationBounds.maxTitle}),
    coalesce(left($5::text, 100) || ' reminds you: ', '') || left(w.name, 200) || ' waits for your decision.', '/workflows/approvals/' || a.id, $3
  from run_approvals a
  join workflow_runs r on r.id = a.run_id
  join workflows w on w.id = r.workflow_id
  cross join unnest($4::int[]) user_id
  where a.id = $1`,
)
