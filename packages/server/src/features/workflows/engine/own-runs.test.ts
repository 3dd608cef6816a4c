import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { deliverEvents } from './flow/deliver-events.ts'
import { actType, ownWorkflow } from '../testing/own-workflows.ts'
import { toyEngine } from '../testing/toy-engine.ts'

const toy = await toyEngine()
const { ownActs, executed, startOwn, reached, ended, engine, workflows, database } = toy
afterAll(() => engine.stop())

const act = (key: string, more: object = {}) => ({ key, name: key, type: 'act', ...more })
const statuses = (detail: { steps: { key: string; status: string }[] }) =>
  Object.fromEntries(detail.steps.map(({ key, status }) => [key, status]))
const timesOf = (runId: string, key: string) => executed.filter((each) => each === `${runId}:${key}`).length

test('a graph runs its branches at once, joins them, and gives the outputs that it names', async () => {
  const both = Promise.withResolvers<void>()
  let going = 0
  const meet = async () => {
    going += 1
    if (going === 2) both.resolve()
    await both.promise
    return { n: going }
  }
  ownActs.set('meet:left', meet).set('meet:right', meet)
  const run = await startOwn(
    {
      inputSchema: {
        type: 'object',
        properties: { act: { type: 'string' }, name: { type: 'string', default: 'Ada' } },
      },
      steps: [
        act('first', { config: { greeting: 'Hello {{ inputs.name }}' } }),
        act('left', { needs: ['first'] }),
        act('right', { needs: ['first'] }),
        act('skipped', { needs: ['first'], when: 'inputs.name == "Bob"' }),
        act('last', {
          needs: ['left', 'right', 'skipped'],
          config: { sum: '{{ steps.left.output.n + steps.right.output.n }}' },
        }),
      ],
      outputs: { greeting: '{{ steps.first.output.greeting }}', sum: '{{ steps.last.output.sum }}' },
    },
    { act: 'meet' },
  )
  const detail = await ended(run)
  expect(detail.run).toMatchObject({ status: 'completed', output: { greeting: 'Hello Ada', sum: 4 } })
  expect(statuses(detail)).toMatchObject({ left: 'succeeded', right: 'succeeded', skipped: 'skipped' })
  expect(detail.steps.find(({ key }) => key === 'skipped')?.note).toMatch(/condition is false/)
  expect(detail.run.input).toEqual({ act: 'meet', name: 'Ada' })
})

test('a failed attempt is tried again as its policy says, and each attempt is recorded', async () => {
  let times = 0
  ownActs.set('flaky:one', async () => {
    times += 1
    if (times < 3) throw new StepFailure(`Not yet ${times}`, { reason: 'network' })
    return { times }
  })
  ownActs.set('flaky:two', async () => {
    throw new StepFailure('Never', { reason: 'server_error' })
  })
  const retry = { limit: 3, initialMs: 10, on: ['network' as const] }
  const run = await startOwn({ steps: [act('one', { retry }), act('two', { retry })] }, { act: 'flaky' })
  const detail = await ended(run)
  expect(detail.run).toMatchObject({ status: 'failed', error: { message: 'Never', stepKey: 'two' } })
  expect(detail.steps.map(({ attempt }) => attempt)).toEqual([3, 1])
  const { attempts } = await workflows.step(
    run.organizationId,
    { userId: run.user.id, role: 'OWNER' },
    { id: run.workflowId, runId: run.runId, stepKey: 'one' },
  )
  expect(attempts.map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
})

test('a step that outlives its time is broken off, and later steps go on where they may', async () => {
  ownActs.set('slow:one', async (context) => {
    await context.sleep(60_000)
    return undefined
  })
  const steps = [
    act('one', { timeoutMs: 50, continueOnError: true }),
    act('two', { config: { was: '{{ steps.one.status }}' } }),
  ]
  const detail = await ended(await startOwn({ steps }, { act: 'slow' }))
  expect(statuses(detail)).toEqual({ one: 'timed_out', two: 'succeeded' })
  expect(detail.run.status).toBe('completed')
})

test('a run that outlives its time ends as timed out, whatever it waits for', async () => {
  const steps = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 60_000 } }, act('after')]
  const detail = await ended(await startOwn({ steps, timeoutMs: 600 }))
  expect(detail.run.status).toBe('timed_out')
  expect(statuses(detail)).toEqual({ wait: 'timed_out', after: 'skipped' })
})

test('what succeeded is undone in reverse order when a later step fails', async () => {
  const undone: string[] = []
  ownActs.set('undo:a!undo', async () => ({ place: undone.push('a') }))
  ownActs.set('undo:b!undo', async () => ({ place: undone.push('b') }))
  ownActs.set('undo:c', async () => {
    throw new StepFailure('No')
  })
  const compensate = { type: 'act', config: {} }
  const run = await startOwn(
    { steps: [act('a', { compensate }), act('b', { compensate }), act('c', { compensate })] },
    { act: 'undo' },
  )
  const detail = await ended(run)
  expect(undone).toEqual(['b', 'a'])
  expect(detail.run).toMatchObject({ status: 'failed', error: { message: 'No' } })
  expect(statuses(detail)).toMatchObject({ 'a!undo': 'succeeded', 'b!undo': 'succeeded' })
})

test('a loop does its step for each item, few at a time, and gathers what they gave', async () => {
  let going = 0
  let most = 0
  const three = Promise.withResolvers<void>()
  for (let index = 0; index < 12; index += 1) {
    ownActs.set(`loop:each[${index}]`, async (context, config) => {
      going += 1
      most = Math.max(most, going)
      if (going === 3) three.resolve()
      await three.promise
      await context.sleep(5)
      going -= 1
      return { item: config['item'] }
    })
  }
  const run = await startOwn(
    {
      inputSchema: { type: 'object' },
      steps: [
        act('each', { foreach: { items: 'inputs.list', maxParallel: 3 }, config: { item: '{{ item }}' } }),
        act('after', { config: { count: '{{ steps.each.output.count }}' } }),
      ],
      outputs: { results: '{{ steps.each.output.results }}' },
    },
    { act: 'loop', list: Array.from({ length: 12 }, (_, index) => index * 10) },
  )
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(most).toBe(3)
  expect(detail.run.output?.['results']).toEqual(
    Array.from({ length: 12 }, (_, index) => ({
      status: 'succeeded',
      error: null,
      output: { item: index * 10 },
    })),
  )
  expect(detail.steps.filter(({ parentKey }) => parentKey === 'each')).toHaveLength(12)
})

test('a loop keeps the result of every item, also when one of them failed', async () => {
  ownActs.set('some:each[1]', () => Promise.reject(new StepFailure('The second is broken.')))
  const run = await startOwn(
    {
      inputSchema: { type: 'object' },
      steps: [
        act('each', {
          foreach: { items: 'inputs.list', maxParallel: 1 },
          config: { item: '{{ item }}' },
          continueOnError: true,
        }),
        act('after', {
          config: { fine: '{{ steps.each.output.results.filter(r, r.status == "succeeded").size() }}' },
        }),
      ],
      outputs: { results: '{{ steps.each.output.results }}', fine: '{{ steps.after.output.fine }}' },
    },
    { act: 'some', list: [10, 20, 30] },
  )
  const { run: over, steps } = await ended(run)
  expect(steps.find(({ key }) => key === 'each')).toMatchObject({
    status: 'failed',
    error: { message: '1 of 3 iterations failed.' },
  })
  expect(over.output).toEqual({
    fine: 2,
    results: [
      { status: 'succeeded', error: null, output: { item: 10 } },
      { status: 'failed', error: 'The second is broken.', output: {} },
      { status: 'succeeded', error: null, output: { item: 30 } },
    ],
  })
})

test('a stop ends the run as it says, and what comes after is skipped', async () => {
  const stop = (status: string) => ({
    key: 'stop',
    name: 'Stop',
    type: 'stop',
    config: { status, message: 'Enough.' },
  })
  const [fine, failed] = await Promise.all(
    ['completed', 'failed'].map(async (status) =>
      ended(await startOwn({ steps: [stop(status), act('after')] })),
    ),
  )
  expect(fine?.run.status).toBe('completed')
  expect(failed?.run).toMatchObject({ status: 'failed', error: { message: 'Enough.' } })
  expect([fine, failed].map((each) => each?.steps[1])).toMatchObject([
    { status: 'skipped', note: 'The run was ended before it.' },
    { status: 'skipped', note: 'The run failed at "stop".' },
  ])
})

test('a wait holds no place and goes on by itself; cancelled, it ends at once', async () => {
  const steps = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 400 } }, act('after')]
  const run = await startOwn({ steps })
  const waiting = await reached(run, (detail) => detail.run.status === 'waiting')
  expect(waiting.run.waiting).toMatchObject({ kind: 'wait' })
  expect(engine.state().activeRuns).toBe(0)
  expect((await ended(run)).run.status).toBe('completed')

  const long = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 600_000 } }]
  const other = await startOwn({ steps: long })
  await reached(other, (detail) => detail.run.status === 'waiting')
  await database.withTenant(other.organizationId, (db) =>
    workflows.cancelRun(db, other.runId, { userId: other.user.id }),
  )
  const cancelled = await reached(other, (detail) => detail.run.finishedAt !== null)
  expect(cancelled.run.status).toBe('cancelled')
})

test('a sub-workflow is a run of its own whose output the step gives back', async () => {
  const user = await toy.given.user()
  await startOwn(
    {
      name: 'child',
      steps: [act('inner', { config: { said: '{{ inputs.word }}' } })],
      outputs: { said: '{{ steps.inner.output.said }}' },
    },
    { word: 'x' },
    { user },
  )
  const run = await startOwn(
    {
      steps: [
        {
          key: 'sub',
          name: 'Sub',
          type: 'subworkflow',
          config: { workflow: 'child', input: { word: 'hi' } },
        },
      ],
      outputs: { said: '{{ steps.sub.output.output.said }}' },
    },
    {},
    { user },
  )
  const detail = await ended(run)
  expect(detail.run).toMatchObject({ status: 'completed', output: { said: 'hi' } })
  expect(detail.children).toHaveLength(1)
  expect(detail.children[0]?.parent).toMatchObject({ runId: run.runId, stepKey: 'sub' })
})

test('a workflow that starts itself ends at the tenth, with a sentence', async () => {
  const run = await startOwn({
    name: 'endless',
    steps: [{ key: 'self', name: 'Self', type: 'subworkflow', config: { workflow: 'endless' } }],
  })
  const detail = await ended(run)
  expect(detail.run.status).toBe('failed')
  expect(timesOf(run.runId, 'self')).toBe(0)
})

test('an output beyond the limit fails its step instead of being kept', async () => {
  ownActs.set('large:one', async () => ({ text: 'x'.repeat(50_000_000) }))
  const detail = await ended(await startOwn({ steps: [act('one')] }, { act: 'large' }))
  expect(detail.run.error?.message).toMatch(
    /^The output of the step has 50000011 bytes; at most 1048576 are kept/,
  )
})

test('a secret is never recorded of a step that uses it', async () => {
  ownActs.set('secret:one', async (context, config) => {
    context.log(`Sent ${String(config['token'])}`)
    throw new StepFailure(`Refused ${String(config['token'])}`)
  })
  const run = await startOwn(
    { steps: [act('one', { config: { token: '{{ secrets.api_token }}' } })] },
    { act: 'secret' },
  )
  const detail = await ended(run)
  expect(detail.run.status).toBe('failed')
  const { rows } = await database.ownerPool.query(
    `select s.input, s.error, r.error as run_error, (select string_agg(message, ' ') from step_logs l where l.run_id = r.id)
     from step_runs s join workflow_runs r on r.id = s.run_id where r.id = $1`,
    [run.runId],
  )
  expect(JSON.stringify(rows)).not.toContain('canary-secret')
  expect(JSON.stringify(toy.published)).not.toContain('canary-secret')
})

test('a step waits for an event that fits, and gives it back', async () => {
  const config = {
    event: 'CLUSTER_HEALTH_UPDATE',
    match: 'event.health == "failing" && event.cluster_id == 4',
  }
  const run = await startOwn({
    steps: [{ key: 'wait', name: 'Wait', type: 'wait_event', config }],
    outputs: {
      cluster: '{{ steps.wait.output.event.cluster }}',
      ids: '{{ [steps.wait.output.event.cluster_id, steps.wait.output.event.clusterId] }}',
    },
  })
  await reached(run, (detail) => detail.run.status === 'waiting')
  const { organizationId } = run
  const tell = (health: string) =>
    database.withTenant(organizationId, (db) =>
      deliverEvents(db, [
        { organizationId, type: 'CLUSTER_HEALTH_UPDATE', data: { clusterId: 4, cluster: 'c-1', health } },
      ]),
    )
  await tell('fine')
  expect((await reached(run, () => true)).run.status).toBe('waiting')
  await tell('failing')
  expect((await ended(run)).run).toMatchObject({
    status: 'completed',
    output: { cluster: 'c-1', ids: [4, 4] },
  })
})

test('an event that comes while its waiting step is locked arrives', async () => {
  const config = { event: 'CLUSTER_HEALTH_UPDATE' }
  const run = await startOwn({
    steps: [{ key: 'wait', name: 'Wait', type: 'wait_event', config }],
    outputs: { cluster: '{{ steps.wait.output.event.cluster }}' },
  })
  await reached(run, (detail) => detail.run.status === 'waiting')
  const { organizationId } = run
  await database.withTenant(organizationId, async (locking) => {
    await locking.execute(sql`select 1 from step_runs where run_id = ${run.runId} for no key update`)
    await locking.execute(sql`select 1 from workflow_runs where id = ${run.runId} for update`)
    await database.withTenant(organizationId, (db) =>
      deliverEvents(db, [{ organizationId, type: config.event, data: { cluster: 'locked' } }]),
    )
  })
  expect((await ended(run)).run).toMatchObject({ status: 'completed', output: { cluster: 'locked' } })
})

test('a step does not begin to wait between an event and its commit', async () => {
  const event = 'CLUSTER_HEALTH_UPDATE'
  const first = await startOwn({ steps: [act('one')] })
  const { organizationId, user } = first
  const waiting = await database.withTenant(organizationId, async (db) => {
    await deliverEvents(db, [{ organizationId, type: event, data: { cluster: 'before' } }])
    const run = await startOwn(
      {
        steps: [{ key: 'wait', name: 'Wait', type: 'wait_event', config: { event } }],
        outputs: { cluster: '{{ steps.wait.output.event.cluster }}' },
      },
      {},
      { user },
    )
    await reached(run, (detail) => detail.run.status === 'running')
    expect((await toy.workflows.run(organizationId, run.workflowId, run.runId)).steps[0]?.status).toBe(
      'pending',
    )
    return run
  })
  await reached(waiting, (detail) => detail.run.status === 'waiting')
  await database.withTenant(organizationId, (db) =>
    deliverEvents(db, [{ organizationId, type: event, data: { cluster: 'after' } }]),
  )
  expect((await ended(waiting)).run.output).toEqual({ cluster: 'after' })
})

test('a sub-workflow does nothing that the person who started the outer run may not do', async () => {
  const member = await toy.given.user({ role: 'VIEWER' })
  toy.stepTypes.set('guarded', {
    ...actType(ownActs, executed),
    type: 'guarded',
    permission: 'clusters.delete',
  })
  const { organizationId } = member
  await ownWorkflow(database, member, {
    name: 'inner',
    steps: [{ key: 'one', name: 'Delete it', type: 'guarded', config: {} }],
  })
  const outer = { steps: [{ key: 'sub', name: 'Sub', type: 'subworkflow', config: { workflow: 'inner' } }] }
  const refused = await ended(await startOwn(outer, {}, { user: member }))
  expect(refused.run.status).toBe('failed')
  expect(refused.steps[0]?.error?.message).toMatch(/^The step "Delete it" is not allowed to you\./)
  await database.asSystem('test', (db) =>
    db.execute(
      sql`update memberships set role = 'OWNER' where user_id = ${member.id} and organization_id = ${organizationId}`,
    ),
  )
  expect((await ended(await startOwn(outer, {}, { user: member }))).run.status).toBe('completed')
})
