import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'

const considered = 20
const workflows = { embedded: 'database.create', cnpg: 'database.cluster_create' } as const

type CreationTime = { medianMs: number; basedOn: number }

/**
 * Median time of the last 20 creations, from their request until the server had answered, in milliseconds; what comes after
 * that, such as the first backup, does not count. Null for a place in which none of the known ones got so far.
 */
export async function creationTimes(
  db: Db,
  organizationId: number,
): Promise<Record<keyof typeof workflows, CreationTime | null>> {
  const { rows } = await db.execute<{ built_in: string; median_ms: number; based_on: number }>(sql`
    select w.built_in, count(*)::int as based_on,
      percentile_cont(0.5) within group (order by extract(epoch from last.finished_at - last.queued_at) * 1000)::float8
        as median_ms
    from workflows w
    cross join lateral (
      select r.queued_at, s.finished_at
      from workflow_runs r
      join step_runs s on s.run_id = r.id and s.key = 'verify' and s.status = 'succeeded'
      where r.organization_id = ${organizationId} and r.workflow_id = w.id
      order by r.queued_at desc, r.id desc
      limit ${considered}
    ) last
    where w.organization_id = ${organizationId} and w.built_in in (${workflows.embedded}, ${workflows.cnpg})
    group by w.built_in`)
  const of = (workflow: string) => {
    const found = rows.find(({ built_in: key }) => key === workflow)
    return found === undefined ? null : { medianMs: Math.round(found.median_ms), basedOn: found.based_on }
  }
  return { embedded: of(workflows.embedded), cnpg: of(workflows.cnpg) }
}
