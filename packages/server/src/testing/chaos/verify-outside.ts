import type pg from 'pg'

import type { Ledger } from './ledger.ts'
import type { Outside } from './outside.ts'
import type { Violations } from './verify.ts'
import { workloadGeneration, workloadName } from './workload-graph.ts'

type Row = { text: string }
type StepRow = { run_id: string; key: string; type: string; status: string }

/** The same for steps whose effects are in a cluster, a database and the clusters and secrets of the console itself. */
export async function verifyOutside(pool: pg.Pool, ledger: Ledger, outside: Outside): Promise<Violations> {
  const texts = async (query: string) => (await pool.query<Row>(query)).rows.map(({ text }) => text)
  const { rows: steps } = await pool.query<StepRow>(
    `select run_id, key, type, status from step_runs
     where type in ('sql', 'kubernetes.job', 'kubernetes.delete', 'kubernetes.rollback', 'kubernetes.drain', 'webhook.emit')
       and status <> 'pending'`,
  )
  const [writes, configMaps, jobs, generations, pods] = await Promise.all([
    outside.writes(),
    outside.configMaps(),
    outside.jobs(),
    outside.generations(),
    outside.pods(),
  ])
  const found: Violations = { lost: [], repeated: [], twice: [] }
  for (const { run_id: runId, key, type, status } of steps) {
    const step = `Step ${key} of run ${runId}`
    const hasSucceeded = status === 'succeeded'
    switch (type) {
      case 'sql': {
        const count = writes.get(`${runId} ${key}`) ?? 0
        if (key !== 'write') break
        if (hasSucceeded && count === 0) found.lost.push(`${step} succeeded without its row`)
        if (count > 1) found.twice.push(`${step} must not be repeated and wrote ${count} rows`)
        break
      }
      case 'kubernetes.job': {
        const count = jobs.filter((job) => job.includes(runId)).length
        if (hasSucceeded && count === 0) found.lost.push(`${step} succeeded without its job`)
        if (count > 1) found.twice.push(`${step} made ${count} jobs`)
        break
      }
      case 'kubernetes.delete': {
        const isThere = configMaps.has(`chaos-${runId}`)
        if (hasSucceeded && isThere) found.repeated.push(`${step} succeeded, and its object was made again`)
        break
      }
      case 'kubernetes.rollback': {
        const count = generations.get(workloadName(runId)) ?? 0
        const changes = `its deployment was changed ${count} times instead of ${workloadGeneration}`
        if (hasSucceeded && count < workloadGeneration) found.lost.push(`${step} succeeded, and ${changes}`)
        if (count > workloadGeneration) found.twice.push(`${step}: ${changes}`)
        break
      }
      case 'kubernetes.drain': {
        const isThere = pods.has(workloadName(runId))
        if (hasSucceeded && isThere) found.lost.push(`${step} succeeded, and its pod is there`)
        break
      }
      case 'webhook.emit': {
        const ids = new Set(ledger.messages.filter((each) => each.runId === runId).map(({ id }) => id))
        if (hasSucceeded && ids.size === 0) found.lost.push(`${step} succeeded without its message`)
        if (ids.size > 1) found.twice.push(`${step} sent ${ids.size} messages`)
        break
      }
      default:
        break
    }
  }
  found.lost.push(
    ...(await texts(
      // Versions that are old are removed; their numbers stay with the steps that made them.
      `select format('%s steps rotated a secret to version %s', count(*), s.output ->> 'version') as text
       from step_runs s where s.type = 'secret.rotate' and s.status = 'succeeded'
       group by s.output ->> 'version' having count(*) > 1`,
    )),
    ...(await texts(
      `select format('Step %s of run %s rotated no secret', s.key, s.run_id) as text from step_runs s
       where s.type = 'secret.rotate' and s.status = 'succeeded'
         and (s.output ->> 'version')::int > (select max(v.version) from secret_versions v)`,
    )),
    ...(await texts(
      `select format('Cluster %s is %s and not deleted', c.title, c.status) as text
       from clusters c join workflow_runs r on c.title = 'chaos-' || r.id
       where r.status = 'completed' and c.deleted_at is null`,
    )),
  )
  found.twice.push(
    ...(await texts(
      `select format('%s made %s versions', reason, count(*)) as text from secret_versions
       where reason like 'Rotated by a workflow%' group by reason having count(*) > 1`,
    )),
    ...(await texts(
      `select format('There were %s clusters %s', count(*), title) as text from clusters
       where title like 'chaos-%' group by title having count(*) > 1`,
    )),
  )
  return found
}
