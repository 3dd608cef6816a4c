import type { Database } from '../platform/db/database.ts'

// What must hold of runs, steps and clusters whatever crashed: each answers the exceptions in words.

/** The beginning of a provider's operation on the cluster of this title. */
export type BegunOperation = { title: string; operation: string; at: number }

/** Runs that are under way, and clusters whose last operation is neither over nor theirs. */
export async function findUnsettled(database: Database, organizationId: number): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ text: string }>(
    `select format('Run %s (%s, held by %s)', id, status, coalesce(executor_id, 'nobody')) as text
     from workflow_runs where organization_id = $1 and finished_at is null
     union all
     select format('Cluster %s (%s)', title, status) from clusters
     where organization_id = $1 and status in ('PENDING', 'CREATING', 'UPDATING')`,
    [organizationId],
  )
  return rows.map(({ text }) => text)
}

/** Runs that failed, or were cancelled without a request. */
export async function findSpurious(
  database: Database,
  organizationId: number,
  isCancelExpected: boolean,
): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ text: string }>(
    `select format('Run %s is %s: %s', id, status, error) as text from workflow_runs
     where organization_id = $1 and status <> 'completed' and finished_at is not null
       and not ($2 and status = 'cancelled' and cancel_requested_by is not null)
     union all
     select format('Cluster %s: %s', title, error) from clusters
     where organization_id = $1 and error like '%cancelled%' and not ($2 and error like '%cancelled by Ada.%')`,
    [organizationId, isCancelExpected],
  )
  return rows.map(({ text }) => text)
}

const stepOfOperation: Record<string, string> = {
  allocate: 'allocate_machines',
  start: 'start_control_plane',
  join: 'join_nodes',
  addons: 'install_addons',
  verify: 'verify',
  stop: 'delete_control_plane',
  remove: 'delete_state',
}

/** Operations that began after the success of their step was recorded, in runs of which a cluster had one each. */
export async function findRepeated(database: Database, begun: readonly BegunOperation[]): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ title: string; key: string; finished_at: Date }>(
    `select c.title, s.key, max(s.finished_at) as finished_at from step_runs s
     join workflow_runs r on r.id = s.run_id join clusters c on c.id = r.subject_id::int
     where s.status = 'succeeded' group by c.title, s.key having count(*) = 1`,
  )
  const recordedAt = new Map(rows.map((row) => [`${row.title} ${row.key}`, row.finished_at.getTime()]))
  return begun.flatMap(({ title, operation, at }) => {
    const recorded = recordedAt.get(`${title} ${stepOfOperation[operation] ?? ''}`)
    return recorded === undefined || at <= recorded ? [] : [`${title}: ${operation} began after its record`]
  })
}

/**
 * Runs whose log has a gap or another length than is counted, and lines that were recorded more than once. `calls`
 * are those of the scripted provider: `title:operation`.
 */
export async function findInconsistent(database: Database, calls: readonly string[]): Promise<string[]> {
  const { rows: gaps } = await database.ownerPool.query<{ text: string }>(
    `select format('Run %s counts %s lines', r.id, r.log_count) as text from workflow_runs r
     where r.log_count <> (select count(*) from step_logs l where l.run_id = r.id)
        or r.log_count <> (select coalesce(max(seq), 0) from step_logs l where l.run_id = r.id)`,
  )
  // The scripted provider says this line once per operation.
  const { rows: lines } = await database.ownerPool.query<{ message: string; count: number }>(
    `select message, count(*)::int from step_logs where message like 'Doing %' group by message`,
  )
  const said = Map.groupBy(
    calls,
    (call) => `Doing ${call.split(':')[1] ?? ''} of ${call.split(':')[0] ?? ''}.`,
  )
  const repeated = lines.filter(({ message, count }) => count > (said.get(message)?.length ?? 0))
  return [
    ...gaps.map(({ text }) => text),
    ...repeated.map(({ message, count }) => `"${message}" was logged ${count} times`),
  ]
}
