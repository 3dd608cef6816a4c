import { type Health, isRunOver, type RunStatus, triggerEventTable } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/prepared.ts'
import { eventValue } from '../runs/event-value.ts'

/** Something that happened in an organization. */
type Happening = { organizationId: number; type: string; data?: object | undefined }

const settledClusters = ['COMPLETED', 'FAILED', 'DELETED']

/** Whether an event is one that workflows can wait for: of a run, the one that ends it. */
export function isTriggerEvent({ type, data = {} }: Happening): boolean {
  if (!Object.hasOwn(triggerEventTable, type)) return false
  // Each run that moves is an update of its workflow as well.
  if (type === 'WORKFLOW_UPDATE') return 'change' in data && data.change !== undefined
  if (!('status' in data)) return true
  if (type === 'CLUSTER_PROVISIONING_UPDATE') return settledClusters.includes(String(data.status))
  // The events of this type carry a status of runs.
  return type !== 'WORKFLOW_RUN_UPDATE' || isRunOver(data.status as RunStatus)
}

/**
 * Keeps what triggers of events wait for, in the transaction of the event: it starts a run after the commit, or never. A
 * run never starts its own workflow again, which would go on for ever.
 */
export async function keepForTriggers(db: Db, events: readonly Happening[]): Promise<void> {
  const kept = events.filter(isTriggerEvent)
  if (kept.length === 0) return
  await insertForTriggers(db, [
    kept.map(({ organizationId }) => organizationId),
    kept.map(({ type }) => type),
    kept.map((happening) => JSON.stringify(eventValue(happening))),
  ])
}

type HealthMove = {
  cluster: { id: number; organizationId: number; title: string }
  to: 'trouble' | 'recovery'
  health: Health
}

/** What triggers learn of a cluster that begins to fail or recovers. */
export function healthEvent({ cluster, health }: HealthMove): Happening {
  const { id: clusterId, organizationId, title } = cluster
  const data = { clusterId, cluster: title, health: health.state, reason: health.reason ?? '' }
  return { organizationId, type: 'CLUSTER_HEALTH_UPDATE', data }
}

const insertForTriggers = statement(
  'trigger_events_keep',
  `insert into trigger_events (id, organization_id, trigger_id, payload, status)
   select gen_random_uuid(), t.organization_id, t.id, e.data, 'waiting'
   from unnest($1::int[], $2::text[], $3::jsonb[]) e(organization_id, type, data)
   join workflow_triggers t on t.organization_id = e.organization_id
     and t.type = 'event' and t.is_enabled and t.settings ->> 'event' = e.type
   join workflows w on w.id = t.workflow_id and w.state = 'active'
   join organizations o on o.id = t.organization_id and o.deletes_at is null
   where e.data ->> 'workflow_id' is distinct from t.workflow_id::text`,
)
