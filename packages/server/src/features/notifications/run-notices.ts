import type { EntityType, NotificationEvent, NotificationLevel, RunStatus } from '@bey/contract'
import { entities } from '@bey/contract'
import { redactText } from '@bey/contract/base/redact-text'

import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import type { RunMove } from '../workflows/definition/definition.ts'
import { hasRules, type Notify } from './rules/notify.ts'

type RunNotice = { level: NotificationLevel; words: string; event: NotificationEvent }

/** What is worth telling, and how. A run that goes on is seen among the ongoing operations. */
const notices: Partial<Record<RunStatus, RunNotice>> = {
  completed: { level: 'success', words: 'completed', event: 'run.completed' },
  failed: { level: 'error', words: 'failed', event: 'run.failed' },
  timed_out: { level: 'error', words: 'timed out', event: 'run.failed' },
  needs_attention: { level: 'warning', words: 'needs attention', event: 'run.needs_attention' },
  cancelled: { level: 'info', words: 'was cancelled', event: 'run.cancelled' },
  expired: { level: 'warning', words: 'expired before it began', event: 'run.needs_attention' },
}

/**
 * Notifies the user who started a run of its end, and whom the rules name, in the transaction that ends it. A run that
 * its own user cancelled does not concern them.
 */
export function runNotices(notify: Notify) {
  return async (db: Db, { run, status, error, cancelledBy }: RunMove): Promise<void> => {
    const notice = notices[status]
    if (notice === undefined) return
    const { organizationId } = run
    // Most runs of the system itself concern nobody.
    if (run.createdBy === null && !(await hasRules(db, organizationId))) return
    const [facts] = await factsOfRun(db, [run.id])
    if (facts === undefined) return
    const { workflowId, workflowName, starterId, subjectType, subjectId, subjectName } = facts
    const detail = error ?? (cancelledBy === null ? null : `Cancelled by ${cancelledBy}.`)
    await notify(db, {
      organizationId,
      kind: 'run',
      event: notice.event,
      level: notice.level,
      title: `${workflowName.slice(0, 200 - notice.words.length - 1)} ${notice.words}`,
      detail: detail === null ? null : redactText(detail),
      href: entities.run.paths.detail.replace('{workflowId}', workflowId).replace('{id}', run.id),
      subject:
        subjectType === null || subjectId === null
          ? null
          : { type: subjectType, id: subjectId, name: subjectName ?? '' },
      workflowId,
      clusterId: subjectType === 'cluster' ? Number(subjectId) : undefined,
      concerned: starterId === null ? [] : [starterId],
    })
  }
}

type Facts = {
  workflowId: string
  workflowName: string
  starterId: number | null
  subjectType: EntityType | null
  subjectId: string | null
  subjectName: string | null
}

const factsOfRun = statement<Facts>(
  'facts_of_run_to_notify',
  `select w.id as "workflowId", w.name as "workflowName", m.user_id as "starterId", r.subject_type as "subjectType",
     r.subject_id as "subjectId", subject.name as "subjectName"
   from workflow_runs r
   join workflows w on w.id = r.workflow_id
   left join memberships m on m.organization_id = r.organization_id and m.user_id = r.created_by
     and (r.status <> 'cancelled' or r.cancel_requested_by is distinct from r.created_by)
   left join ${subjectOf('r')} on true
   where r.id = $1`,
)
