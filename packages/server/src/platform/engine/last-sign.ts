import { sql } from 'drizzle-orm'

import type { Database } from '../db/database.ts'

/**
 * Ends the attempts that were under way in a dead process at its last heartbeat: whoever takes them over may come much
 * later, for instance when the only server starts again.
 */
export async function recordLastSign(database: Database, executorId: string): Promise<void> {
  await database.asSystem('record when a process was alive last', (db) =>
    db.execute(sql`
      update step_attempts a set finished_at = greatest(a.started_at, p.heartbeat_at)
      from processes p
      join workflow_runs r on r.executor_id = p.executor_id and r.finished_at is null
      join step_runs s on s.run_id = r.id and s.status = 'running'
      where p.executor_id = ${executorId} and a.step_run_id = s.id and a.attempt = s.attempt
        and a.executor_id = p.executor_id and a.status = 'running'`),
  )
}
