import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import { rowsRead } from '../../../testing/rows-read.ts'
import { toyEngine } from '../testing/toy-engine.ts'

// The ways in which the rows of a run and what DBOS recorded of it can part.

const { database, acts, executed, executorId, engine, start, startOwn, reached, ended } = await toyEngine()
afterAll(() => engine.stop())

const query = (text: string, values: unknown[]) => database.ownerPool.query(text, values)

/** How often each step of a run was executed. */
const timesOf = (runId: string) =>
  ['one', 'two', 'three'].map((key) => executed.filter((entry) => entry === `${runId}:${key}`).length)

/** The engine notes the end of a run a moment after the run itself does. */
async function endedInEngine(runId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await query('select status from dbos.workflow_status where workflow_uuid = $1', [
        runId,
      ])
      expect(rows).toEqual([{ status: 'SUCCESS' }])
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function over(act: string) {
  const run = await start(act)
  await ended(run)
  await endedInEngine(run.runId)
  return run
}

test('a run that is not over goes on from its rows, whatever the engine recorded', async () => {
  const [queued, running, unknown, taken] = await Promise.all(
    ['queued', 'running', 'unknown', 'taken'].map(over),
  )
  if (!queued || !running || !unknown || !taken) throw new Error('There are four')
  // The engine is through with a run that waits in the queue: its beginning and all that followed was lost.
  await query(`update step_runs set status = 'pending', attempt = 0, output = null where run_id = $1`, [
    queued.runId,
  ])
  await query(
    `update workflow_runs set status = 'queued', executor_id = null, finished_at = null, output = null where id = $1`,
    [queued.runId],
  )
  // A process had taken it from the queue, and died before the engine knew of it.
  await query(`update step_runs set status = 'pending', attempt = 0, output = null where run_id = $1`, [
    taken.runId,
  ])
  await query(
    `update workflow_runs set status = 'queued', executor_id = $2, finished_at = null, output = null where id = $1`,
    [taken.runId, executorId],
  )
  await query('delete from dbos.workflow_status where workflow_uuid = $1', [taken.runId])
  // The end of the last step was lost; the engine knows of it, or nothing of the run at all.
  for (const { runId } of [running, unknown]) {
    await query(`update step_runs set status = 'running' where run_id = $1 and key = 'three'`, [runId])
    await query(
      `update workflow_runs set status = 'running', executor_id = $2, finished_at = null, output = null where id = $1`,
      [runId, executorId],
    )
  }
  await query('delete from dbos.workflow_status where workflow_uuid = $1', [unknown.runId])
  const details = await Promise.all([queued, running, unknown, taken].map(ended))
  expect(details.map(({ run }) => run.status)).toEqual(Array(4).fill('completed'))
  expect(timesOf(queued.runId)).toEqual([2, 2, 2])
  expect(timesOf(taken.runId)).toEqual([2, 2, 2])
  // What was recorded is not executed again.
  expect(timesOf(running.runId)).toEqual([1, 1, 2])
  expect(timesOf(unknown.runId)).toEqual([1, 1, 2])
  expect(details[1]?.steps.map(({ attempt }) => attempt)).toEqual([1, 1, 2])
  await endedInEngine(queued.runId)
})

test('a run that was asked to stop is cancelled although nobody executes it', async () => {
  const run = await over('asked')
  await query(`update step_runs set status = 'running' where run_id = $1 and key = 'three'`, [run.runId])
  await query(
    `update workflow_runs set status = 'cancelling', executor_id = $2, finished_at = null,
       cancel_requested_by = $3, cancel_requested_at = now() where id = $1`,
    [run.runId, executorId, run.user.id],
  )
  expect((await ended(run)).run.status).toBe('cancelled')
  expect(timesOf(run.runId)).toEqual([1, 1, 1])
})

test('a step that finds the one before unrecorded lets that be done first', async () => {
  const release = Promise.withResolvers<void>()
  acts.set('behind:two', async () => {
    await release.promise
    return undefined
  })
  const run = await start('behind')
  await vi.waitFor(() => expect(timesOf(run.runId)).toEqual([1, 1, 0]), { timeout: 60_000 })
  await query(`update step_runs set status = 'running' where run_id = $1 and key = 'one'`, [run.runId])
  await query(`update step_runs set status = 'pending', attempt = 0 where run_id = $1 and key = 'two'`, [
    run.runId,
  ])
  release.resolve()
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(detail.steps.map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
  expect(timesOf(run.runId)).toEqual([2, 2, 1])
})

test('a run is not cancelled by a message alone: somebody must have asked for it', async () => {
  acts.set('rumour:two', async (context) => {
    if (context.attempt === 1) await context.sleep(600_000)
    return undefined
  })
  const run = await start('rumour')
  await vi.waitFor(() => expect(timesOf(run.runId)).toEqual([1, 1, 0]), { timeout: 60_000 })
  await query(`select pg_notify('bey_engine', $1)`, [`cancel:${run.runId}`])
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(detail.steps.map(({ attempt }) => attempt)).toEqual([1, 2, 1])
})

test('a step whose result cannot be recorded fails its run instead of being repeated for ever', async () => {
  acts.set('unwritable:two', async () => ({ text: 'not storable: \0' }))
  const run = await start('unwritable')
  const detail = await ended(run)
  expect(detail.run.status).toBe('failed')
  expect(detail.run.error?.message).toBe('The result of the step could not be recorded. Start the run again.')
  expect(timesOf(run.runId)).toEqual([1, 1, 0])
  await endedInEngine(run.runId)
})

test('a run that is over in its rows is over in the engine, which repeats nothing', async () => {
  const run = await over('ended')
  // The record of the last step was lost, and another process handed the run on.
  await query('delete from dbos.operation_outputs where workflow_uuid = $1 and function_id > 0', [run.runId])
  await query(
    `update dbos.workflow_status set status = 'ENQUEUED', queue_name = '_dbos_internal_queue', completed_at = null,
       started_at_epoch_ms = null where workflow_uuid = $1`,
    [run.runId],
  )
  await endedInEngine(run.runId)
  expect(timesOf(run.runId)).toEqual([1, 1, 1])
  expect((await ended(run)).run.status).toBe('completed')
})

test('a run that waits goes on although the engine has forgotten it', async () => {
  const run = await startOwn({
    steps: [
      { key: 'before', name: 'Before', type: 'act' },
      { key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 1_500 } },
      { key: 'after', name: 'After', type: 'act' },
    ],
  })
  await reached(run, (detail) => detail.run.status === 'waiting')
  await query('delete from dbos.operation_outputs where workflow_uuid = $1', [run.runId])
  await query('delete from dbos.workflow_status where workflow_uuid = $1', [run.runId])
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(executed.filter((entry) => entry === `${run.runId}:before`)).toHaveLength(1)
  expect(executed.filter((entry) => entry === `${run.runId}:after`)).toHaveLength(1)
})

test('the end of a step and the record of it are one commit', async () => {
  const run = await over('one-commit')
  const { rows } = await query(
    `select s.key, (o.output::jsonb ->> 'result') as result, s.xmin = o.xmin as is_one_commit
     from step_runs s join dbos.operation_outputs o on o.workflow_uuid = s.run_id::text and o.function_name = s.key
     where s.run_id = $1 order by o.function_id`,
    [run.runId],
  )
  expect(rows).toEqual(
    ['one', 'two', 'three'].map((key) => ({ key, result: 'succeeded', is_one_commit: true })),
  )
})

test('an execution of a run that was handed on records nothing more', async () => {
  const release = Promise.withResolvers<void>()
  acts.set('handed-on:two', async () => {
    await release.promise
    return undefined
  })
  const run = await start('handed-on')
  await vi.waitFor(() => expect(timesOf(run.runId)).toEqual([1, 1, 0]), { timeout: 60_000 })
  await query(`update dbos.workflow_status set owner_xid = 'another' where workflow_uuid = $1`, [run.runId])
  release.resolve()
  await vi.waitFor(() => expect(engine.state().activeRuns).toBe(0), { timeout: 60_000, interval: 10 })
  const { rows } = await query('select key, status from step_runs where run_id = $1 order by position', [
    run.runId,
  ])
  expect(rows.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'running', 'pending'])
})

test('an event is recorded without a look at the other runs under way', async () => {
  const { organizationId } = await over('among others')
  await query(
    `insert into dbos.workflow_status (workflow_uuid, status, name, executor_id, owner_xid)
     select 'waiting-' || n, 'PENDING', 'interpret', 'elsewhere', 'owner-' || n from generate_series(1, $1::int) n`,
    [1_000],
  )
  const read = await database.withTenant(organizationId, (db) =>
    rowsRead(db, 'workflow_status', () =>
      db.execute(sql`select record_run_event('waiting-500', 'owner-500', 0, 'one', '{"key":"one"}', 'bey')`),
    ),
  )
  expect(read).toBe(1)
})

test('an attempt ends at the last sign of its process, not when another takes over', async () => {
  const run = await over('silent')
  const lost = '1-dead'
  const lastSign = new Date('2026-11-20T10:00:00.000Z')
  await query(
    `update workflow_runs set status = 'running', executor_id = $2, finished_at = null where id = $1`,
    [run.runId, lost],
  )
  await query(
    `update step_attempts set status = 'running', executor_id = $2, started_at = $3, finished_at = null
       where run_id = $1 and step_run_id = (select id from step_runs where run_id = $1 and key = 'three')`,
    [run.runId, lost, new Date(lastSign.getTime() - 60_000)],
  )
  await query(
    `update step_runs set status = 'running', finished_at = null where run_id = $1 and key = 'three'`,
    [run.runId],
  )
  await query(
    `insert into processes (executor_id, machine_id, address, heartbeat_at) values ($1, 'm1', 'test', $2)`,
    [lost, lastSign],
  )
  await vi.waitFor(
    async () =>
      expect((await query('select 1 from processes where executor_id = $1', [lost])).rowCount).toBe(0),
    { timeout: 60_000, interval: 20 },
  )
  // The engine has no record of it, so nobody was given it: a sweep of the process that holds it finds it.
  await query('update workflow_runs set executor_id = $2 where id = $1', [run.runId, executorId])
  const { run: ofRun, attempts } = await ended(run)
  expect(ofRun.status).toBe('completed')
  expect(attempts).toMatchObject([
    { attempt: 1, status: 'interrupted', finishedAt: lastSign.toISOString() },
    { attempt: 2, status: 'succeeded' },
  ])
})
