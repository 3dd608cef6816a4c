import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../../testing/app.ts'
import { testDatabaseUrl } from '../../../../testing/database.ts'
import { startMailServer } from '../../../../testing/mail-server.ts'
import { postgresProxy } from '../../../../testing/postgres-proxy.ts'

const smtp = await startMailServer()
const databaseUrl = await testDatabaseUrl()
/** Steps reach databases over TCP alone. */
const overTcp = await postgresProxy(databaseUrl, ({ near, far }) => void near.pipe(far).pipe(near))
const app = await testApp({ databaseUrl, smtp: smtp.settings })
const owner = await app.given.user({ email: 'ada@example.com' })
const { token, organizationId } = owner
const ask = (method: string, path: string, body?: unknown) =>
  app.ask(method, path, { token, organizationId, body })

const received: { path: string; headers: Record<string, string>; body: string }[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    received.push({ path: request.url ?? '', headers, body })
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
afterAll(async () => {
  receiver.close()
  await smtp.stop()
})

const arrived = (path: string) =>
  vi.waitUntil(() => received.find((each) => each.path === path), { timeout: 60_000, interval: 20 })

beforeAll(async () => {
  await ask('POST', '/api/secrets', { name: 'database-url', value: overTcp, type: 'opaque' })
  await ask('POST', '/api/secrets', { name: 'api-token', value: 'the-first-value', type: 'opaque' })
})

let made = 0

/** Saves steps as a workflow, starts it, and answers how its run ended. */
async function run(...steps: object[]) {
  const named = steps.map((step) => ({ key: 'step', name: 'Step', ...step }))
  const outputs = Object.fromEntries(named.map(({ key }) => [key, `{{ steps.${key}.output }}`]))
  const body = { name: `flow-${(made += 1)}`, state: 'active', steps: named, outputs }
  const created = await ask('POST', '/api/v1/workflows', body)
  expect(created.status, created.text).toBe(201)
  const path = `/api/v1/workflows/${created.body.workflow.id}`
  const started = await ask('POST', `${path}/execute`, {})
  expect(started.status, started.text).toBe(202)
  const detail = await vi.waitFor(
    async () => {
      const { body: found } = await ask('GET', `${path}/runs/${started.body.run.id}`)
      if (!['completed', 'failed'].includes(found.run.status)) throw new Error(`Still ${found.run.status}`)
      return found
    },
    { timeout: 60_000, interval: 30 },
  )
  return {
    id: started.body.run.id as string,
    status: detail.run.status as string,
    error: (detail.run.error?.message ?? null) as string | null,
    outputs: detail.run.output as Record<string, Record<string, unknown>>,
    text: JSON.stringify(detail),
  }
}

const sql = (key: string, query: string, more: object = {}) => ({
  key,
  type: 'sql',
  config: { connection: '{{ secrets.database-url }}', query, ...more },
})

test('a statement takes parameters, and its rows are the output, without the address of the database', async () => {
  const ended = await run(
    sql('first', 'select $1::int as n, $2::text as word', { parameters: [41, "it's"] }),
    sql('next', 'select $1::int + 1 as n', { parameters: ['{{ steps.first.output.rows[0].n }}'] }),
  )
  expect(ended).toMatchObject({
    status: 'completed',
    outputs: {
      first: { rows: [{ n: 41, word: "it's" }], columns: ['n', 'word'] },
      next: { rows: [{ n: 42 }] },
    },
  })
  expect(ended.text).not.toContain(overTcp)
})

test('a statement that changes data is refused unless it may, and then writes once', async () => {
  const refused = await run(sql('step', 'create table made_by_step (n int)'))
  expect(refused.error).toBe('The statement changes data, and the step is read only.')
  const allowed = await run(
    sql('make', 'create table made_by_step (n int)', { read_only: false }),
    sql('fill', 'insert into made_by_step values (7), (8)', { read_only: false }),
    sql('read', 'select n from made_by_step order by n', { max_rows: 1 }),
  )
  expect(allowed.outputs).toMatchObject({
    fill: { row_count: 2 },
    read: { rows: [{ n: 7 }], truncated: true },
  })
})

test('a database is named instead of an address; reading is by a role that cannot write, and both are audited', async () => {
  const made = await ask('POST', '/api/databases', { provider: 'embedded', name: 'orders' })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  await vi.waitFor(
    async () =>
      expect((await ask('GET', `/api/databases/${id}`)).body).toMatchObject({ status: 'available' }),
    { timeout: 60_000, interval: 50 },
  )
  const named = (key: string, query: string, more: object = {}) => ({
    key,
    type: 'sql',
    config: { database: 'orders', query, ...more },
  })
  const ended = await run(
    named('make', 'create table parts (n int)', { read_only: false }),
    named('fill', 'insert into parts values ($1)', { read_only: false, parameters: [7] }),
    named('read', 'select n, current_user::text as who from parts', { database: id }),
  )
  expect(ended.error).toBeNull()
  expect(ended.outputs).toMatchObject({
    fill: { row_count: 1 },
    read: { rows: [{ n: 7, who: 'bey_reader' }] },
  })
  // The role holds also where the transaction's own refusal is left behind.
  const escape = `select set_config('transaction_read_only', 'off', true), n from parts`
  await run(named('step', escape))
  expect((await run(named('step', `insert into parts values (8)`))).error).toContain('read only')
  const { body } = await ask('GET', `/api/audit?targetType=database&targetId=${id}&limit=50`)
  const acts = await Promise.all(
    body.entries.map(async (entry: { id: string; action: string }) => {
      const { body: found } = await ask('GET', `/api/audit/${entry.id}`)
      return `${entry.action}: ${found.diff?.statement}`
    }),
  )
  expect(acts).toContain('database.execute: insert into parts values ($1)')
  expect(acts).toContain('database.query: select n, current_user::text as who from parts')

  expect((await run(named('step', 'select 1', { database: 'nowhere' }))).error).toBe(
    'There is no database "nowhere" in this organization.',
  )
  const both = { connection: '{{ secrets.database-url }}', database: 'orders', query: 'select 1' }
  for (const [config, message] of [
    [both, 'not both'],
    [{ query: 'select 1' }, 'Name a database'],
  ] as const) {
    const steps = [{ key: 'step', name: 'Step', type: 'sql', config }]
    const refused = await ask('POST', '/api/v1/workflows', { name: 'refused', state: 'active', steps })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(message)])
  }
}, 120_000)

test('a step writes in a database only for who may, and no other organization names it', async () => {
  const member = await app.given.user({ role: 'MEMBER', organizationId })
  const steps = [
    {
      key: 'step',
      name: 'Step',
      type: 'sql',
      config: { database: 'orders', query: 'drop table parts', read_only: false },
    },
  ]
  const endOf = async (user: { token: string; organizationId: number }, name: string) => {
    const own = (method: string, path: string, body?: object) => app.ask(method, path, { ...user, body })
    const created = await own('POST', '/api/v1/workflows', { name, state: 'active', steps })
    expect(created.status, created.text).toBe(201)
    const path = `/api/v1/workflows/${created.body.workflow.id}`
    const started = await own('POST', `${path}/execute`, {})
    return vi.waitFor(
      async () => {
        const { body } = await own('GET', `${path}/runs/${started.body.run.id}`)
        expect(body.run.status).toBe('failed')
        return body.run.error.message as string
      },
      { timeout: 60_000, interval: 30 },
    )
  }
  expect(await endOf({ token: member.token, organizationId }, 'not-mine')).toContain('databases.execute')
  const stranger = await app.given.user()
  expect(await endOf(stranger, 'foreign')).toBe('There is no database "orders" in this organization.')
})

test.each([
  ['select pg_sleep(300)', { timeout_ms: 3_000 }, 'The statement was not ready within its time limit.'],
  [
    'select * from nowhere',
    {},
    'The database refuses the statement: relation "nowhere" does not exist (42P01).',
  ],
])('%s ends with a sentence', async (query, more, message) => {
  expect((await run(sql('step', query, more))).error).toBe(message)
})

test('a statement is cancelled at once, whatever the database leaves unanswered', async () => {
  const withheld = Promise.withResolvers<void>()
  const silent = await postgresProxy(databaseUrl, ({ near, far }) => {
    let isSilent = false
    near.pipe(far)
    far.on('data', (data: Buffer) => {
      // Up to the end of the rows; that the database is ready again is withheld, and all that follows.
      const end = data.indexOf('SELECT 1\0')
      if (!isSilent) near.write(end === -1 ? data : data.subarray(0, end + 9))
      isSilent ||= end !== -1
      if (isSilent) withheld.resolve()
    })
  })
  await ask('POST', '/api/secrets', { name: 'silent-url', value: silent, type: 'opaque' })
  const step = {
    key: 'step',
    name: 'Step',
    type: 'sql',
    config: { connection: '{{ secrets.silent-url }}', query: 'select 1' },
  }
  const created = await ask('POST', '/api/v1/workflows', { name: 'silent', state: 'active', steps: [step] })
  const path = `/api/v1/workflows/${created.body.workflow.id}`
  const { body } = await ask('POST', `${path}/execute`, {})
  const run = `${path}/runs/${body.run.id}`
  await withheld.promise
  expect((await ask('POST', `${run}/cancel`, {})).status).toBe(202)
  await vi.waitFor(async () => expect((await ask('GET', run)).body.run.status).toBe('cancelled'), {
    timeout: 60_000,
    interval: 30,
  })
})

test('a certificate tells when it expires, and a server that speaks no TLS is said to', async () => {
  const config = { host: '127.0.0.1', port: app.tlsPort }
  const ended = await run({ type: 'certificate.check', config })
  expect(ended.outputs['step']).toMatchObject({ is_trusted: false, days_left: expect.any(Number) })
  const { port } = receiver.address() as AddressInfo
  const silent = await run({ type: 'certificate.check', config: { host: '127.0.0.1', port } })
  expect(silent.error).toBe(`127.0.0.1:${port} could not be reached over TLS.`)
})

test('a cluster is created once, and deleted once', async () => {
  const ended = await run(
    { key: 'create', type: 'cluster.provision', config: { title: 'preview' } },
    { key: 'again', type: 'cluster.provision', config: { title: 'preview' } },
    { key: 'delete', type: 'cluster.delete', config: { cluster: '{{ steps.create.output.cluster }}' } },
    { key: 'gone', type: 'cluster.delete', config: { cluster: 'preview' } },
  )
  expect(ended).toMatchObject({ status: 'completed', error: null })
  const { create, again, gone } = ended.outputs
  expect(again).toEqual(create)
  expect(gone).toEqual({ cluster: null })
  expect((await ask('GET', '/api/kubernetes/clusters')).body.total).toBe(0)
})

test('a secret gets a new version, whose value no run shows', async () => {
  const ended = await run({ type: 'secret.rotate', config: { secret: 'api-token', overlap_hours: 1 } })
  expect(ended.outputs['step']).toEqual({ version: 2 })
  expect(ended.text).not.toContain('the-first-value')
  const missing = await run({ type: 'secret.rotate', config: { secret: 'no-such-secret' } })
  expect(missing.error).toBe('There is no secret "no-such-secret" in this organization.')
})

test('a message reaches a person in the console and by mail, and channels in their format', async () => {
  for (const kind of ['slack', 'webhook']) {
    const channel = { name: `${kind} room`, kind, url: `${receiverUrl}/${kind}` }
    expect((await ask('POST', '/api/notification-channels', channel)).status).toBe(201)
  }
  const ended = await run({
    type: 'notify',
    config: {
      title: 'Deployed shop:2',
      message: 'All is well.',
      level: 'success',
      by: 'both',
      to: { users: ['ada@example.com'], channels: ['slack room', 'webhook room'] },
    },
  })
  expect(ended.outputs['step']).toEqual({ recipients: 1, channels: 2 })
  const slack: unknown = JSON.parse((await arrived('/slack')).body)
  expect(slack).toEqual({ text: expect.stringMatching(/^\*Deployed shop:2\* All is well\. <http.*\|Open>$/) })
  const general: unknown = JSON.parse((await arrived('/webhook')).body)
  expect(general).toMatchObject({
    notifications: [
      { event: 'run.message', title: 'Deployed shop:2', url: expect.stringContaining(ended.id) },
    ],
  })
  const mail = await vi.waitUntil(() => smtp.mails[0], { timeout: 60_000, interval: 20 })
  expect(mail).toMatchObject({ to: ['ada@example.com'], source: expect.stringContaining('Deployed shop:2') })
  const { notifications } = (await ask('GET', '/api/notifications')).body
  expect(notifications).toContainEqual(expect.objectContaining({ title: 'Deployed shop:2' }))
})

test.each([
  [{ users: ['bob@example.com'] }, 'bob@example.com is not a member of this organization.'],
  [{ channels: ['nowhere'] }, 'There is no channel "nowhere" in this organization.'],
])('a message to %j fails', async (to, message) => {
  expect((await run({ type: 'notify', config: { title: 'Hello', to } })).error).toBe(message)
})

test('an event of one’s own is sent to the webhooks that ask for it, signed', async () => {
  const hook = (name: string, event: string) => ({ name, url: `${receiverUrl}/${name}`, events: [event] })
  const asked = await ask('POST', '/api/webhooks', hook('asked', 'custom.deployment.finished'))
  expect(asked.status, asked.text).toBe(201)
  await ask('POST', '/api/webhooks', hook('other', 'custom.deployment.begun'))
  const config = { event: 'custom.deployment.finished', values: { image: 'shop:{{ 1 + 1 }}' } }
  const ended = await run({ type: 'webhook.emit', config })
  expect(ended.outputs['step']).toMatchObject({ webhooks: 1 })
  const { headers, body } = await arrived('/asked')
  expect(new Webhook(asked.body.secret).verify(body, headers)).toMatchObject({
    type: 'custom.deployment.finished',
    data: { runId: ended.id, values: { image: 'shop:2' } },
  })
  expect(headers['webhook-id']).toBe(ended.outputs['step']?.['event_id'])
  expect(received.some(({ path }) => path === '/other')).toBe(false)
})

test.each([
  ['notify', { title: '{{ secrets.api-token }}' }],
  ['webhook.emit', { event: 'custom.a', values: { a: '{{ secrets.api-token }}' } }],
  ['approval', { question: 'Is it {{ secrets.api-token }}?' }],
])('no secret stands in a step of the type %s, which people read', async (type, config) => {
  const definition = { name: 'leak', steps: [{ key: 'step', name: 'Step', type, config }] }
  const { body } = await ask('POST', '/api/v1/workflows/validate', { definition })
  expect(body.problems).toMatchObject([
    { message: 'The secret "api-token" cannot be used here: people read what this step holds.' },
  ])
})
