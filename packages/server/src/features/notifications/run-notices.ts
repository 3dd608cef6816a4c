import type { NotificationLevel, RunStatus } from '@bey/contract'
import { entities, notificationBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { redactText } from '@bey/contract/redact-text'
import type { RunMove } from '../workflows/definition.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import type { Publish } from '../workflows/ports.ts'

/** What is worth telling, and how. A run that goes on is seen among the ongoing operations. */
const notices: Partial<Record<RunStatus, { level: NotificationLevel; words: string }>> = {
  completed: { level: 'success', words: 'completed' },
  failed: { level: 'error', words: 'failed' },
  timed_out: { level: 'error', words: 'timed out' },
  needs_attention: { level: 'warning', words: 'needs attention' },
  cancelled: { level: 'info', words: 'was cancelled' },
  expired: { level: 'warning', words: 'expired before it began' },
}

/**
 * Notifies the user who started a run of its end, in the transaction that ends it. No notification for runs of the
 * system, for a run that the user cancelled, or after the user has left the organization.
 */
export function runNotices({ publish, clock }: { publish: Publish; clock: Clock }) {
  return async (db: Db, { run, status, error, cancelledBy }: RunMove): Promise<void> => {
    const notice = notices[status]
    if (notice === undefined || run.createdBy === null) return
    const { organizationId, createdBy: userId } = run
    const detail = error ?? (cancelledBy === null ? null : `Cancelled by ${cancelledBy}.`)
    await Promise.all([
      insertNotice(db, [
        run.id,
        uuidv7(),
        notice.level,
        notice.words,
        detail === null ? null : redactText(detail).slice(0, notificationBounds.maxDetail),
        clock.now(),
      ]),
      publish(db, [{ organizationId, type: 'NOTIFICATIONS_UPDATE', data: { userId } }]),
    ])
  }
}

// The page of the run, as its descriptor says.
const runPath = `'${entities.run.paths.detail.replace('{workflowId}', "' || w.id || '").replace('{id}', "' || r.id || '")}'`

// The membership is held, so that it cannot go between this and the check of the foreign key.
const insertNotice = statement(
  'notification_of_run',
  `insert into notifications
    (organization_id, user_id, id, kind, level, title, detail, href, subject_type, subject_id, subject_name, at)
  select m.organization_id, m.user_id, $2, 'run', $3,
    left(w.name, ${notificationBounds.maxTitle} - length($4) - 1) || ' ' || $4, $5,
    ${runPath}, r.subject_type, r.subject_id, left(subject.name, 200), $6
  from workflow_runs r
  join workflows w on w.id = r.workflow_id
  join memberships m on m.organization_id = r.organization_id and m.user_id = r.created_by
  left join ${subjectOf('r')} on true
  where r.id = $1 and (r.status <> 'cancelled' or r.cancel_requested_by is distinct from r.created_by)
  for key share of m`,
)
