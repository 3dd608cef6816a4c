import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { toyEngine } from '../testing/toy-engine.ts'

const { database, given, acts, executed, published, workflows, engine, start, ended } = await toyEngine()

test('a run goes through its steps in order and keeps what they gave and said', async () => {
  acts.set('plain:one', async () => ({ answer: 42 }))
  const run = await start('plain')
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(detail.run.output).toEqual({ one: { answer: 42 } })
  expect(detail.steps.map((each) => [each.key, each.status, each.attempt, each.progressPercent])).toEqual([
    ['one', 'succeeded', 1, 100],
    ['two', 'succeeded', 1, 100],
    ['three', 'succeeded', 1, 100],
  ])
  expect(detail.logs.map((line) => [line.seq, line.stepKey, line.message])).toEqual([
    [1, 'one', 'Doing one.'],
    [2, 'two', 'Doing two.'],
    [3, 'three', 'Doing three.'],
  ])
  expect(executed.filter((entry) => entry.startsWith(run.runId))).toHaveLength(3)
})

test('the log is paged by its numbers in both directions, without gaps', async () => {
  acts.set('chatty:two', async (context) => {
    for (let index = 0; index < 450; index += 1) {
      context.log(`Line ${index}`)
      if (index % 100 === 0) await context.sleep(60)
    }
    return undefined
  })
  const run = await start('chatty')
  const detail = await ended(run)
  expect(detail.logs).toHaveLength(200)
  expect(detail.logs.at(-1)?.seq).toBe(453)
  expect(detail.logsBefore).toBe(254)
  const before = await workflows.logs(run.organizationId, run.workflowId, run.runId, {
    before: 254,
    limit: 200,
  })
  expect(before.logs.map((line) => line.seq)).toEqual(Array.from({ length: 200 }, (_, index) => 54 + index))
  expect(before.nextCursor).toBe(54)
  const after = await workflows.logs(run.organizationId, run.workflowId, run.runId, { after: 0, limit: 200 })
  expect(after.logs.map((line) => line.seq)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  expect(after.nextCursor).toBe(200)
  const rest = await workflows.logs(run.organizationId, run.workflowId, run.runId, { after: 400, limit: 200 })
  expect(rest.logs).toHaveLength(53)
  expect(rest.nextCursor).toBeNull()
})

test('an unexpected error fails its step with the words of the error, never the run of the engine', async () => {
  acts.set('broken:two', async () => {
    throw new TypeError('x is not a function')
  })
  const detail = await ended(await start('broken'))
  expect(detail.run).toMatchObject({
    status: 'failed',
    error: { message: 'Unexpected error: x is not a function', stepKey: 'two' },
  })
  expect(detail.steps.map((each) => each.status)).toEqual(['succeeded', 'failed', 'skipped'])
  expect(detail.logs.at(-1)).toMatchObject({
    level: 'error',
    message: 'Unexpected error: x is not a function',
  })
})

test('a statement that fails in a step is not shown with its values', async () => {
  acts.set('refused:one', async ({ run }) => {
    const divide = sql`select ${'canary'}::text, 1 / ${0}::int`
    await database.withTenant(run.organizationId, (db) => db.execute(divide))
    return undefined
  })
  const detail = await ended(await start('refused'))
  expect(detail.run.error?.message).toMatch(/^Unexpected error: the database refused a statement;/)
  expect(JSON.stringify(detail)).not.toMatch(/canary|Failed query|division/)
})

test('a step that finds the database away begins again until it is back', async () => {
  let times = 0
  acts.set('away:two', async () => {
    times += 1
    const error = new AppError('unavailable', 'The database does not answer at the moment.')
    if (times === 1) throw error
    // As steps say it that put every error of the console into their own sentence.
    if (times === 2) throw new StepFailure(error.message, { cause: error })
    return { times }
  })
  const detail = await ended(await start('away'))
  expect(detail.run).toMatchObject({ status: 'completed', error: null })
  expect(times).toBe(3)
})

test('a step that finds the database away can be cancelled', async () => {
  const asked = Promise.withResolvers<void>()
  acts.set('gone:one', async () => {
    asked.resolve()
    throw new AppError('unavailable', 'The database does not answer at the moment.')
  })
  const run = await start('gone')
  await asked.promise
  await database.withTenant(run.organizationId, (db) =>
    workflows.cancelRun(db, run.runId, { userId: run.user.id }),
  )
  expect((await ended(run)).run.status).toBe('cancelled')
})

test('a message of any length and script fits into its notification', async () => {
  acts.set('long:one', async (context) => {
    context.log('ß"\u0000\n'.repeat(20_000))
    throw new Error('😀'.repeat(20_000))
  })
  const detail = await ended(await start('long'))
  expect(detail.run.status).toBe('failed')
  for (const event of published) {
    const frame = {
      message: '',
      data: event.data,
      id: 'x'.repeat(36),
      organizationId: 1,
      timestamp: 'x'.repeat(24),
    }
    expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThan(7_900)
  }
})

test('progress is written while a step is under way', async () => {
  const release = Promise.withResolvers<void>()
  acts.set('slow:two', async (context) => {
    context.progress(40)
    await release.promise
    return undefined
  })
  const run = await start('slow')
  await vi.waitFor(
    async () => {
      const { steps, run: row } = await workflows.run(run.organizationId, run.workflowId, run.runId)
      expect(steps[1]).toMatchObject({ status: 'running', progressPercent: 40 })
      expect(row.progressPercent).toBe(47)
    },
    { timeout: 60_000 },
  )
  release.resolve()
  expect((await ended(run)).run.progressPercent).toBe(100)
})

test('a queued run that is cancelled never begins', async () => {
  const release = Promise.withResolvers<void>()
  acts.set('first:one', async () => {
    await release.promise
    return undefined
  })
  const owner = await given.cluster()
  const first = await start('first', { type: 'cluster', id: String(owner.id) })
  const begin = (act: string) =>
    database.withTenant(first.organizationId, (db) =>
      workflows.startRun(db, {
        organizationId: first.organizationId,
        workflowKey: 'toy',
        subject: { type: 'cluster', id: String(owner.id) },
        input: { act },
        trigger: 'manual',
        createdBy: first.user.id,
      }),
    )
  // Runs on one subject go one after another.
  const second = await begin('second')
  const third = await begin('third')
  const { run } = await workflows.cancel(second.workflowId, second.runId, {
    organizationId: first.organizationId,
    user: first.user,
    role: 'OWNER',
    via: 'session',
  })
  expect(run.status).toBe('cancelled')
  expect(executed.filter((entry) => entry.startsWith(third.runId))).toEqual([])
  release.resolve()
  expect((await ended({ ...third, organizationId: first.organizationId })).run.status).toBe('completed')
  expect(executed.filter((entry) => entry.startsWith(second.runId))).toEqual([])
  const list = await workflows.runs(first.organizationId, { page: 1, limit: 2, sort: 'queuedAt' })
  expect(list).toMatchObject({ total: 3, page: 1, limit: 2 })
  expect(list.runs.map((row) => row.id)).toEqual([third.runId, second.runId])
  const cancelled = await workflows.runs(first.organizationId, {
    page: 1,
    limit: 50,
    sort: 'status',
    status: ['cancelled'],
  })
  expect(cancelled.runs.map((row) => row.id)).toEqual([second.runId])
})

test('a rolled back transaction leaves no run behind', async () => {
  const user = await given.user()
  await expect(
    database.withTenant(user.organizationId, async (db) => {
      await workflows.startRun(db, {
        organizationId: user.organizationId,
        workflowKey: 'toy',
        subject: null,
        input: { act: 'never' },
        trigger: 'manual',
        createdBy: user.id,
      })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect((await workflows.runs(user.organizationId, { page: 1, limit: 50, sort: 'queuedAt' })).total).toBe(0)
})

test('a hundred runs at once all complete, each step once', async () => {
  const runs = await Promise.all(Array.from({ length: 100 }, () => start('many')))
  const ids = new Set(runs.map((run) => run.runId))
  await vi.waitFor(
    async () => {
      const { rows } = await database.asSystem('test', (db) =>
        db.execute<{ id: string }>(sql`select id from workflow_runs where status = 'completed'`),
      )
      expect(rows.filter((row) => ids.has(row.id))).toHaveLength(100)
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(executed.filter((entry) => ids.has(entry.split(':')[0] ?? ''))).toHaveLength(300)
})

test('a run of a workflow that this server does not know fails and says so', async () => {
  const { id: organizationId } = await given.organization()
  const workflow = await given.workflow({ organizationId, builtIn: 'gone' })
  const run = await given.run({ organizationId, workflowId: workflow.id })
  await given.step({ organizationId, runId: run.id })
  await database.withTenant(organizationId, (db) => engine.enqueue(db, run.id))
  const detail = await ended({ organizationId, workflowId: workflow.id, runId: run.id })
  expect(detail.run).toMatchObject({
    status: 'failed',
    error: { message: 'This server knows no workflow "gone".' },
  })
  expect(detail.steps.map((each) => each.status)).toEqual(['skipped'])
})

test('the engine stops without waiting for long steps, and what they were at stays theirs to take over', async () => {
  acts.set('endless:two', async (context) => {
    await context.sleep(600_000)
    return undefined
  })
  const run = await start('endless')
  await vi.waitFor(() => expect(executed).toContain(`${run.runId}:two`), { timeout: 60_000 })
  await engine.stop()
  const { rows } = await database.asSystem('test', (db) =>
    db.execute(sql`select status, finished_at from workflow_runs where id = ${run.runId}`),
  )
  expect(rows).toEqual([{ status: 'running', finished_at: null }])
  const processes = await database.asSystem('test', (db) => db.execute(sql`select 1 from processes`))
  expect(processes.rows).toEqual([])
})
