import { entityResourceId } from '@bey/contract/resources/kinds'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { DemoScene } from '../../../platform/demo.ts'
import { quantity, type UsageEvent } from '../../../platform/usage/record.ts'
import type { Tagged } from '../meters/tags.ts'
import { attemptEvent, listAttempts } from '../meters/webhook-attempts.ts'
import { slots } from './cluster-usage.ts'

const dayMs = 86_400_000

/** The runs that a demo was given, under the ids by which their meter would find them, so that they count once. */
export async function runUsage(
  db: Db,
  organizationId: number,
  tagsOf: (...ids: readonly string[]) => Tagged,
): Promise<UsageEvent[]> {
  const { rows } = await db.execute<{
    id: string
    workflowId: string
    workflow: string
    personId: number | null
    person: string | null
    finishedMs: number
    seconds: number
  }>(sql`
    select r.id, r.workflow_id as "workflowId", w.name as workflow, u.id as "personId", u.name as person,
      extract(epoch from r.finished_at)::float8 * 1000 as "finishedMs",
      (select coalesce(sum(extract(epoch from s.finished_at - s.started_at)), 0)::float8 from step_runs s
        where s.run_id = r.id) as seconds
    from workflow_runs r join workflows w on w.id = r.workflow_id left join users u on u.id = r.created_by
    where r.organization_id = ${organizationId} and r.finished_at is not null`)
  return rows.flatMap(({ id, workflowId, workflow, personId, person, finishedMs, seconds }) => {
    const subject = {
      resource: { id: workflowId, name: workflow },
      ...tagsOf(entityResourceId('workflow', workflowId)),
      ...(personId !== null && { person: { id: personId, name: person ?? '' } }),
    }
    const of = { source: 'run', at: new Date(finishedMs), subject, isSeeded: true }
    return [
      { ...of, id, meter: 'runs' as const, value: '1' },
      { ...of, id: `${id}/seconds`, meter: 'step_seconds' as const, value: quantity(seconds) },
      { ...of, id: `${id}/log`, meter: 'log_gb' as const, value: quantity(seconds * 2e-6) },
    ]
  })
}

/** The attempts of webhooks that a demo was given, under the ids by which their meter would find them. */
export async function attemptUsage(db: Db, organizationId: number): Promise<UsageEvent[]> {
  const attempts = await listAttempts(db, sql`a.organization_id = ${organizationId}`)
  return attempts.map((attempt) => ({ ...attemptEvent(attempt), isSeeded: true }))
}

/** Reads of secrets week by week, and requests of people day by day. */
export async function accessUsage(
  db: Db,
  { organizationId, people, random }: Pick<DemoScene, 'organizationId' | 'people' | 'random'>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<UsageEvent[]> {
  const { rows: secrets } = await db.execute<{ id: string; name: string }>(sql`
    select id, name from secrets where organization_id = ${organizationId} and status <> 'deleted' order by name`)
  const events: UsageEvent[] = []
  const resources = secrets.map((resource) => ({ resource }))
  const persons = Object.values(people).map(({ id, name }) => ({ person: { id, name } }))
  for (const { atMs } of slots(fromMs, toMs, dayMs)) {
    const of = { source: 'demo', at: new Date(atMs), isSeeded: true }
    const day = of.at.toISOString().slice(0, 10)
    for (const subject of of.at.getUTCDay() === 1 ? resources : []) {
      const value = String(20 + Math.floor(random() * 60))
      events.push({
        ...of,
        id: `secret/${subject.resource.id}/${day}`,
        meter: 'secret_reads',
        value,
        subject,
      })
    }
    if (isWeekend(of.at)) continue
    for (const subject of persons) {
      const value = String(150 + Math.floor(random() * 500))
      events.push({ ...of, id: `api/${subject.person.id}/${day}`, meter: 'api_calls', value, subject })
    }
  }
  return events
}

const isWeekend = (day: Date) => day.getUTCDay() === 0 || day.getUTCDay() === 6
