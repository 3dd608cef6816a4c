import { entityResourceId } from '@bey/contract/resources/kinds'
import { sql } from 'drizzle-orm'

import { quantity, recordUsage, type UsageEvent } from '../../../platform/usage/record.ts'
import type { BillingParts } from '../parts.ts'
import { readTags } from './tags.ts'

const batch = 1_000

type EndedRun = {
  id: string
  organizationId: number
  workflowId: string
  workflowName: string
  cluster: { id: number; name: string } | null
  person: { id: number; name: string } | null
  finishedMs: number
  seconds: number
  logBytes: number
}

/**
 * Meters runs that ended since an instant and are not in the ledger: each as a run, by the time that its steps worked, and
 * by its log. Read from their rows after the end, so that the engine waits for nothing. Answers how many there were.
 */
export async function meterRuns({ database }: Pick<BillingParts, 'database'>, since: Date): Promise<number> {
  const ended = await database.asSystem('meter runs that ended', async (db) => {
    const { rows } = await db.execute<EndedRun>(sql`
      select r.id, r.organization_id as "organizationId", r.workflow_id as "workflowId", w.name as "workflowName",
        case when c.id is not null then json_build_object('id', c.id, 'name', c.title) end as cluster,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as person,
        extract(epoch from r.finished_at)::float8 * 1000 as "finishedMs",
        (select coalesce(sum(extract(epoch from coalesce(a.finished_at, r.finished_at) - a.started_at)), 0)::float8
          from step_runs s join step_attempts a on a.step_run_id = s.id where s.run_id = r.id) as seconds,
        (select coalesce(sum(octet_length(l.message)), 0)::float8 from step_logs l where l.run_id = r.id) as "logBytes"
      from workflow_runs r
      join workflows w on w.id = r.workflow_id
      left join clusters c on r.subject_type = 'cluster' and c.id::text = r.subject_id::text and c.organization_id = r.organization_id
      left join users u on u.id = r.created_by
      where r.finished_at >= ${since.toISOString()}::timestamptz and r.started_at is not null
        and not exists (select from usage_events e where e.organization_id = r.organization_id and e.source = 'run'
          and e.event_id = r.id::text)
      order by r.finished_at limit ${batch}`)
    return rows
  })
  for (const [organizationId, runs] of Map.groupBy(ended, (run) => run.organizationId)) {
    await database.withTenant(organizationId, async (db) => {
      const tagsOf = await readTags(db, organizationId)
      const events = runs.flatMap((run): UsageEvent[] => {
        const { owner, labels } = tagsOf(entityResourceId('workflow', run.workflowId))
        const subject = {
          resource: { id: run.workflowId, name: run.workflowName },
          owner,
          labels,
          ...(run.cluster && { cluster: run.cluster }),
          ...(run.person && { person: run.person }),
        }
        const of = { source: 'run', at: new Date(run.finishedMs), subject }
        return [
          { ...of, id: run.id, meter: 'runs', value: '1' },
          ...(run.seconds > 0
            ? [
                {
                  ...of,
                  id: `${run.id}/seconds`,
                  meter: 'step_seconds',
                  value: quantity(run.seconds),
                } as const,
              ]
            : []),
          ...(run.logBytes > 0
            ? [{ ...of, id: `${run.id}/log`, meter: 'log_gb', value: quantity(run.logBytes / 1e9) } as const]
            : []),
        ]
      })
      await recordUsage(db, organizationId, events)
    })
  }
  return ended.length
}
