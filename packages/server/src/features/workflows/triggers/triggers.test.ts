import { createHmac } from 'node:crypto'

import type { TriggerSettings } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { createDataKeys } from '../../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../../platform/crypto/root-key.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { createLog } from '../../../platform/log.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { createEventWorker } from './event-worker.ts'
import { keepForTriggers } from './event-rules.ts'
import { createHooks } from './hook.ts'
import type { StartTriggered } from './ports.ts'
import { createScheduler } from './scheduler.ts'
import { createTriggers } from './service.ts'

const database = await testDatabase()
const given = createGiven(database)
const user = await given.user()
const { organizationId } = user
const who = { organizationId, user, role: 'OWNER' as const, via: 'session' as const }

const startRun: StartTriggered = async (db, start) => {
  const runId = uuidv7()
  const { workflowId, input, trigger, triggerId = null, triggerName = null } = start
  await db
    .insert(workflowRuns)
    .values({ id: runId, organizationId, workflowId, input, trigger, triggerId, triggerName })
  return { kind: 'started', workflowId, runId }
}

const secretKey = Buffer.alloc(32, 7)
function world() {
  const clock = fakeClock(new Date('2026-11-22T10:00:00.000Z'))
  const parts = {
    database,
    dataKeys: createDataKeys({ key: secretKey, fingerprint: fingerprintOf(secretKey) }),
    clock,
    log: createLog({ level: 'fatal' }),
    startRun,
    cancelRun: async (db: Parameters<StartTriggered>[0], runId: string) =>
      db.execute(sql`update workflow_runs set status = 'cancelled', finished_at = now() where id = ${runId}`),
  }
  return {
    clock,
    triggers: createTriggers(parts),
    scheduler: createScheduler(parts),
    hooks: createHooks(parts),
    events: createEventWorker(parts),
  }
}

const newWorkflow = async () => (await given.workflow({ organizationId })).id
const body = (settings: object) => ({
  name: 'Trigger',
  isEnabled: true,
  settings: { input: {}, ...settings } as TriggerSettings,
})
const schedule = (more: object = {}) =>
  body({
    type: 'schedule',
    cron: '0 * * * *',
    time_zone: 'UTC',
    catch_up: 'latest',
    overlap: 'skip',
    ...more,
  })

async function runsOf(workflowId: string): Promise<{ id: string; input: Record<string, unknown> }[]> {
  const { rows } = await database.ownerPool.query(
    'select id, input from workflow_runs where workflow_id = $1 order by id',
    [workflowId],
  )
  return rows
}

const finishRuns = (workflowId: string) =>
  database.ownerPool.query(
    `update workflow_runs set status = 'completed', finished_at = now() where workflow_id = $1`,
    [workflowId],
  )

test('a due schedule starts one run, whichever of two servers looks first', async () => {
  const { clock, triggers, scheduler } = world()
  const id = await newWorkflow()
  await triggers.create(id, schedule({ input: { at: '{{ scheduled_at }}' } }), who)
  await scheduler.runAllDue()
  expect(await runsOf(id)).toEqual([])
  clock.advance(3_600_000)
  await Promise.all([scheduler.runAllDue(), scheduler.runAllDue(), scheduler.runAllDue()])
  expect((await runsOf(id)).map((run) => run.input)).toEqual([{ at: '2026-11-22T11:00:00.000Z' }])
  const [row] = (await triggers.list(id, organizationId)).triggers
  expect(row).toMatchObject({ lastError: null, summary: 'Every hour (UTC)' })
  expect(row?.nextTimes[0]).toBe('2026-11-22T12:00:00.000Z')
})

test.each([
  ['none', 0],
  ['latest', 1],
  ['all', 5],
])('of five missed times, the catch-up policy "%s" starts %i runs', async (catchUp, count) => {
  const { clock, triggers, scheduler } = world()
  const id = await newWorkflow()
  await triggers.create(id, schedule({ catch_up: catchUp, overlap: 'allow' }), who)
  clock.advance(5.5 * 3_600_000)
  await scheduler.runAllDue()
  await scheduler.runAllDue()
  expect(await runsOf(id)).toHaveLength(count)
})

test.each([
  ['allow', 2, undefined],
  ['skip', 1, 'Skipped, because an earlier run of this schedule has not ended.'],
  ['queue', 1, null],
  ['replace', 2, null],
])('while a run goes on, the overlap policy "%s" leaves %i', async (overlap, count, lastError) => {
  const { clock, triggers, scheduler } = world()
  const id = await newWorkflow()
  await triggers.create(id, schedule({ overlap }), who)
  for (let hour = 0; hour < 2; hour += 1) {
    clock.advance(3_600_000)
    await scheduler.runAllDue()
  }
  expect(await runsOf(id)).toHaveLength(count)
  const [row] = (await triggers.list(id, organizationId)).triggers
  if (lastError !== undefined) expect(row?.lastError).toBe(lastError)
  const { rows } = await database.ownerPool.query(
    'select count(*)::int as open from workflow_runs where workflow_id = $1 and finished_at is null',
    [id],
  )
  expect(rows[0].open).toBe(overlap === 'allow' ? 2 : 1)
  await finishRuns(id)
  await scheduler.runAllDue()
  // What was queued comes as soon as the run before it has ended.
  expect(await runsOf(id)).toHaveLength(overlap === 'queue' ? 2 : count)
})

test('a paused workflow and a switched-off trigger start nothing', async () => {
  const { clock, triggers, scheduler } = world()
  const [paused, off] = [await newWorkflow(), await newWorkflow()]
  await triggers.create(paused, schedule(), who)
  await triggers.create(off, { ...schedule(), isEnabled: false }, who)
  await database.ownerPool.query(`update workflows set state = 'paused' where id = $1`, [paused])
  clock.advance(3_600_000)
  await scheduler.runAllDue()
  expect([await runsOf(paused), await runsOf(off)]).toEqual([[], []])
})

test('no trigger starts a run while the organization waits to be deleted; undone, they do again', async () => {
  const { clock, triggers, scheduler, events } = world()
  const [timed, reacting] = [await newWorkflow(), await newWorkflow()]
  await triggers.create(timed, schedule(), who)
  const settings = { type: 'event', event: 'WORKFLOW_RUN_UPDATE' }
  await triggers.create(reacting, body(settings), who)
  const hook = await webhook()
  const request = signed(hook.secret, 'evt-late', hook.clock.now(), '{}')
  const fire = () =>
    database.withTenant(organizationId, (db) =>
      keepForTriggers(db, [{ organizationId, type: 'WORKFLOW_RUN_UPDATE', data: { status: 'failed' } }]),
    )
  const deletesIn = (days: string | null) =>
    database.ownerPool.query('update organizations set deletes_at = now() + $2::interval where id = $1', [
      organizationId,
      days,
    ])
  // One event waits already when the deletion is asked for.
  await fire()
  await deletesIn('7 days')
  await fire()
  clock.advance(3_600_000)
  await scheduler.runAllDue()
  await events.runAllWaiting()
  await expect(hook.hooks.receive({ id: hook.id, ...request })).rejects.toMatchObject({
    code: 'organization_deleting',
  })
  expect([await runsOf(timed), await runsOf(reacting)]).toEqual([[], []])

  await deletesIn(null)
  await scheduler.runAllDue()
  await fire()
  await events.runAllWaiting()
  expect([await runsOf(timed), await runsOf(reacting)].map((runs) => runs.length)).toEqual([1, 1])
})

test('a schedule that cannot be used is refused at its field', async () => {
  const { triggers } = world()
  const id = await newWorkflow()
  const refused = async (settings: object) =>
    Promise.resolve()
      .then(() => triggers.create(id, schedule(settings), who))
      .then(
        () => 'accepted',
        (error: { errors?: { path: string }[] }) => error.errors?.[0]?.path,
      )
  expect(await refused({ cron: '0 0 30 2 *' })).toBe('settings.cron')
  expect(await refused({ time_zone: 'Nowhere' })).toBe('settings.time_zone')
  expect(await refused({ when: '1 +' })).toBe('settings.when')
})

/** A signed request as Standard Webhooks describes it. */
function signed(secret: string, id: string, at: Date, text: string) {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    body: Buffer.from(text),
  }
}

async function webhook(settings: object = {}) {
  const parts = world()
  const workflowId = await newWorkflow()
  const made = await parts.triggers.create(
    workflowId,
    body({ type: 'webhook', authentication: 'hmac', ...settings }),
    who,
  )
  return { ...parts, workflowId, id: made.trigger.id, secret: made.secret ?? '' }
}

test('a signed request starts a run with its body, once for each event', async () => {
  const { clock, hooks, workflowId, id, secret } = await webhook({ input: { ref: '{{ body.ref }}' } })
  const request = signed(secret, 'evt-1', clock.now(), '{"ref":"main"}')
  const first = await hooks.receive({ id, ...request })
  expect(first.status).toBe('started')
  expect(await hooks.receive({ id, ...request })).toMatchObject({ status: 'duplicate', runId: first.runId })
  expect((await runsOf(workflowId)).map((run) => run.input)).toEqual([{ ref: 'main' }])
})

test('GitHub and plain tokens prove a sender, too', async () => {
  const github = await webhook()
  const text = '{"action":"opened"}'
  const signature = `sha256=${createHmac('sha256', github.secret).update(text).digest('hex')}`
  const headers = { 'x-hub-signature-256': signature, 'x-github-delivery': 'd-1' }
  expect(await github.hooks.receive({ id: github.id, headers, body: Buffer.from(text) })).toMatchObject({
    status: 'started',
  })
  const token = await webhook({ authentication: 'token' })
  const bearer = { authorization: `Bearer ${token.secret}` }
  expect(await token.hooks.receive({ id: token.id, headers: bearer, body: Buffer.from('') })).toMatchObject({
    status: 'started',
  })
})

test('a request that nobody signed, or somebody else, or long ago, starts nothing', async () => {
  const { clock, hooks, workflowId, id, secret } = await webhook()
  const now = clock.now()
  const right = signed(secret, 'evt', now, '{}')
  const refused = async (request: { headers: object; body: Buffer }) =>
    hooks.receive({ id, headers: { ...request.headers }, body: request.body }).then(
      () => 'accepted',
      (error: { code?: string }) => error.code,
    )
  expect(await refused({ headers: {}, body: right.body })).toBe('forbidden')
  expect(await refused({ ...right, body: Buffer.from('{"x":1}') })).toBe('forbidden')
  expect(await refused(signed('whsec_AAAA', 'evt', now, '{}'))).toBe('forbidden')
  expect(await refused(signed(secret, 'evt', new Date(now.getTime() - 301_000), '{}'))).toBe('forbidden')
  expect(await refused(signed(secret, 'evt', new Date(now.getTime() + 301_000), '{}'))).toBe('forbidden')
  await expect(hooks.receive({ id: uuidv7(), ...right })).rejects.toMatchObject({ code: 'not_found' })
  expect(await runsOf(workflowId)).toEqual([])
})

test('the old secret is valid for a day after a rotation, and not longer', async () => {
  const { clock, hooks, triggers, workflowId, id, secret } = await webhook()
  const { secret: next } = await triggers.rotate(workflowId, id, who)
  for (const each of [secret, next]) {
    const request = signed(each, `evt-${each}`, clock.now(), '{}')
    expect(await hooks.receive({ id, ...request })).toMatchObject({ status: 'started' })
  }
  clock.advance(25 * 3_600_000)
  const late = signed(secret, 'late', clock.now(), '{}')
  await expect(hooks.receive({ id, ...late })).rejects.toMatchObject({ code: 'forbidden' })
})

test('what cannot be evaluated is answered and shown with the trigger, and may be sent again', async () => {
  const { clock, hooks, triggers, workflowId, id, secret } = await webhook({
    input: { name: '{{ body.user.name }}' },
  })
  const request = signed(secret, 'evt', clock.now(), '{}')
  await expect(hooks.receive({ id, ...request })).rejects.toMatchObject({ code: 'invalid_request' })
  const [row] = (await triggers.list(workflowId, organizationId)).triggers
  expect(row?.lastError).toContain('name')
  const { arrivals } = await triggers.arrivals(workflowId, id, organizationId)
  expect(arrivals.map((each) => each.status)).toEqual(['failed'])
  const again = signed(secret, 'evt', clock.now(), '{"user":{"name":"Ada"}}')
  expect(await hooks.receive({ id, ...again })).toMatchObject({ status: 'started' })
})

test('an event starts a run where the condition holds, and not before it is committed', async () => {
  const { triggers, events } = world()
  const id = await newWorkflow()
  await triggers.create(
    id,
    body({
      type: 'event',
      event: 'WORKFLOW_RUN_UPDATE',
      when: 'event.status == "failed"',
      input: { run: '{{ event.run_id }}' },
    }),
    who,
  )
  const fire = (status: string, workflowId: string) =>
    database.withTenant(organizationId, (db) =>
      keepForTriggers(db, [
        { organizationId, type: 'WORKFLOW_RUN_UPDATE', data: { workflowId, runId: status, status } },
      ]),
    )
  const other = uuidv7()
  await fire('completed', other)
  await fire('running', other)
  await fire('failed', other)
  // A run of the workflow itself never starts it again.
  await fire('failed', id)
  await events.runAllWaiting()
  expect((await runsOf(id)).map((run) => run.input)).toEqual([{ run: 'failed' }])
  await expect(
    database.withTenant(organizationId, async (db) => {
      await keepForTriggers(db, [{ organizationId, type: 'WORKFLOW_RUN_UPDATE', data: { status: 'failed' } }])
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await events.runAllWaiting()
  expect(await runsOf(id)).toHaveLength(1)
})

test('fields of an event are snake case: a wrong one is refused with the right name, a stored one keeps running', async () => {
  const { triggers, events } = world()
  const id = await newWorkflow()
  const settings = {
    type: 'event',
    event: 'CLUSTER_HEALTH_UPDATE',
    input: { cluster: '{{ event.cluster_id }}' },
  }
  for (const [wrong, path, message] of [
    [{ when: 'event.clusterId == 4' }, 'settings.when', 'Did you mean "cluster_id"?'],
    [{ when: 'has(event.clustre)' }, 'settings.when', 'Did you mean "cluster"?'],
    [{ input: { a: ['{{ event.healthy }}'] } }, 'settings.input.a[0]', 'Did you mean "health"?'],
    [{ input: { a: '{{ body.x }}' } }, 'settings.input.a', '"body" is not known here. Known here: event.'],
  ] as const) {
    const creating = async () => triggers.create(id, body({ ...settings, ...wrong }), who)
    await expect(creating()).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path, message: expect.stringContaining(message) }],
    })
  }
  const { trigger } = await triggers.create(id, body(settings), who)
  await database.asSystem('test', (db) =>
    db.execute(
      sql`update workflow_triggers set settings = settings || '{"when":"event.clusterId == 4","input":{"cluster":"{{ event.clusterId }}"}}' where id = ${trigger.id}`,
    ),
  )
  for (const clusterId of [4, 5]) {
    await database.withTenant(organizationId, (db) =>
      keepForTriggers(db, [{ organizationId, type: settings.event, data: { clusterId } }]),
    )
  }
  await events.runAllWaiting()
  expect((await runsOf(id)).map((run) => run.input)).toEqual([{ cluster: 4 }])
})

test('while a budget pauses new runs, schedules and requests wait, and nothing is lost', async () => {
  const { clock, triggers, scheduler, hooks, events, workflowId, id, secret } = await webhook({
    input: { ref: '{{ body.ref }}' },
  })
  const scheduled = await newWorkflow()
  await triggers.create(scheduled, schedule({ input: { at: '{{ scheduled_at }}' } }), who)
  await database.ownerPool.query(
    `insert into budgets (id, organization_id, name, amount, currency, scope_by, scope_key, action, state, state_since, month,
      check_at) values ($1, $2, 'All', 1, 'EUR', 'all', '', 'pause_new_runs', 'enforced', now(), '2026-11', now())`,
    [uuidv7(), organizationId],
  )
  clock.advance(3_600_000)
  await scheduler.runAllDue()
  const request = signed(secret, 'evt-paused', clock.now(), '{"ref":"later"}')
  expect(await hooks.receive({ id, ...request })).toMatchObject({ status: 'waiting', runId: null })
  expect(await hooks.receive({ id, ...request })).toMatchObject({ status: 'duplicate' })
  await events.runAllWaiting()
  expect(await runsOf(workflowId)).toEqual([])
  expect(await runsOf(scheduled)).toEqual([])
  await database.ownerPool.query(`update budgets set state = 'exceeded' where organization_id = $1`, [
    organizationId,
  ])
  await scheduler.runAllDue()
  await events.runAllWaiting()
  expect((await runsOf(workflowId)).map((run) => run.input)).toEqual([{ ref: 'later' }])
  expect((await runsOf(scheduled)).map((run) => run.input)).toEqual([{ at: '2026-11-22T11:00:00.000Z' }])
})
