import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InstanceHealth } from '@bey/contract'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { testApp } from './testing/app.ts'
import { testDatabaseUrl } from './testing/database.ts'
import { startMain } from './testing/main-child.ts'

// One process answers people, others execute; the operator makes all of them read-only.

const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const app = await testApp({ role: 'web', databaseUrl, secretKey })
const { ask, given } = app
const operator = await given.user({
  role: 'OWNER',
  email: 'operator@example.com',
  password: 'Correct-Horse-9',
})
const as = { token: operator.token, organizationId: operator.organizationId }
const worker = () =>
  startMain({ BEY_ROLE: 'worker', DATABASE_URL: databaseUrl, BEY_SECRET_KEY: secretKey.toString('base64') })

/** What steps call: each request is held until the test answers it. */
const held: { path: string; reply: ServerResponse }[] = []
const outside = createServer((request, reply) => void held.push({ path: request.url ?? '', reply }))
await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  outside.closeAllConnections()
  outside.close()
})
const outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
const called = (path: string) =>
  vi.waitFor(() => expect(held.map((each) => each.path)).toContain(path), { timeout: 60_000, interval: 20 })

const setReadOnly = async (isOn: boolean, reason?: string) => {
  const reply = await ask('PUT', '/api/instance/read-only', {
    ...as,
    body: { isOn, ...(reason && { reason }) },
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.readOnly
}
afterEach(() => setReadOnly(false))

test('changes are refused with the reason and reads are served, from the moment that the operator says', async () => {
  const secret = { name: 'db/password', value: 'one' }
  expect((await ask('POST', '/api/secrets', { ...as, body: secret })).status).toBe(201)
  expect((await ask('GET', '/api/secrets', as)).headers.get('bey-read-only')).toBeNull()
  const on = await setReadOnly(true, 'Moving to another machine until 14:00.')
  expect(on).toMatchObject({ isOn: true, reason: 'Moving to another machine until 14:00.' })

  const refused = await ask('POST', '/api/secrets', { ...as, body: { ...secret, name: 'other' } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'read_only' } })
  expect(refused.body.detail).toBe(
    'Bey is read-only at the moment, so nothing was changed. Try again later. Its operator says: Moving to another machine until 14:00.',
  )
  expect(refused.headers.get('retry-after')).toBe('30')
  const listed = await ask('GET', '/api/secrets', as)
  expect(listed.status).toBe(200)
  expect(listed.body.secrets).toHaveLength(1)
  expect(listed.headers.get('bey-read-only')).toBe('1')
  expect((await ask('GET', '/health')).status).toBe(200)
  expect((await ask('GET', '/metrics')).text).toMatch(/^bey_read_only 1$/m)
  expect(await checkedReadOnly()).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining(on.reason),
  })
  expect((await ask('GET', '/api/v1/status')).body.readOnly).toEqual({ reason: on.reason, since: on.since })
  const login = { email: operator.email, password: 'Correct-Horse-9' }
  expect((await ask('POST', '/api/auth/login', { body: login })).status).toBe(200)
  const plan = await ask('POST', '/api/v1/workflows/validate', { ...as, body: { name: 'a', steps: [] } })
  expect(plan.body.code).not.toBe('read_only')
  // Who is not known learns nothing else than that.
  expect((await ask('POST', '/api/secrets', { body: secret })).status).toBe(401)
  const proxied = await ask('DELETE', '/api/kubernetes/clusters/1/proxy/api/v1/namespaces/default', as)
  expect([proxied.status, proxied.body.kind ?? proxied.body.code]).toEqual([503, 'Status'])

  const pod = `${app.url.replace('http', 'ws')}/api/kubernetes/clusters/1/proxy/api/v1/namespaces/default/pods/web`
  expect(await statusOfUpgrade(`${pod}/exec?command=sh`)).toBe(503)

  await setReadOnly(false)
  expect(await statusOfUpgrade(`${pod}/exec?command=sh`)).toBe(401)
  expect((await ask('POST', '/api/secrets', { ...as, body: { ...secret, name: 'other' } })).status).toBe(201)
  expect((await ask('GET', '/api/v1/status')).body.readOnly).toBeNull()
  expect((await ask('GET', '/metrics')).text).toMatch(/^bey_read_only 0$/m)
  expect(await checkedReadOnly()).toMatchObject({ status: 'ok', action: null })
})

async function checkedReadOnly() {
  const { status, body } = await ask('GET', '/api/instance/health', as)
  expect(status).toBe(200)
  return (body as InstanceHealth).checks.find(({ id }) => id === 'read-only')
}

function statusOfUpgrade(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.on('unexpected-response', (_request, { statusCode }) => {
      resolve(statusCode)
      socket.terminate()
    })
    socket.on('error', reject)
  })
}

test('only the operator switches it, and the audit log says so', async () => {
  const other = await given.user({ role: 'OWNER' })
  const admin = await given.user({ role: 'ADMIN', organizationId: operator.organizationId })
  for (const { token } of [other, admin]) {
    const reply = await ask('PUT', '/api/instance/read-only', { token, body: { isOn: true } })
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
  await setReadOnly(true, 'canary')
  const { rows } = await app.database.ownerPool.query(
    `select diff from audit_entries where action = 'instance.set_read_only' order by id desc limit 1`,
  )
  expect(rows).toMatchObject([{ diff: { isOn: [false, true], reason: [null, 'canary'] } }])
})

test('another process learns of it, and one that is started keeps to it', async () => {
  const other = await testApp({ role: 'web', databaseUrl, secretKey })
  const isOnThere = async () => (await other.ask('GET', '/api/v1/status')).body.readOnly !== null
  await setReadOnly(true)
  await vi.waitFor(async () => expect(await isOnThere()).toBe(true), { timeout: 30_000 })
  const late = await testApp({ role: 'web', databaseUrl, secretKey })
  expect((await late.ask('GET', '/api/v1/status')).body.readOnly).not.toBeNull()
})

async function madeRun() {
  const call = (key: string) => ({
    key,
    name: key,
    type: 'http',
    // Not repeatable: whoever cannot tell whether it happened asks a person.
    config: { method: 'POST', url: `${outsideUrl}/{{ run.id }}/${key}` },
  })
  const steps = [call('one'), { ...call('two'), needs: ['one'] }]
  const made = await ask('POST', '/api/v1/workflows', { ...as, body: { name: `w-${Math.random()}`, steps } })
  expect(made.status, made.text).toBe(201)
  const started = await ask('POST', `/api/v1/workflows/${made.body.workflow.id}/execute`, { ...as, body: {} })
  expect(started.status, started.text).toBe(202)
  return started.body.run.id as string
}

const stepsOf = async (runId: string) => {
  const { rows } = await app.database.ownerPool.query<{ key: string; status: string; attempt: number }>(
    'select key, status, attempt from step_runs where run_id = $1 order by position',
    [runId],
  )
  return rows.map(({ key, status, attempt }) => `${key} ${status} ${attempt}`)
}
const executorOf = async (runId: string) =>
  (await app.database.ownerPool.query('select executor_id from workflow_runs where id = $1', [runId])).rows[0]
    .executor_id
const statusOf = async (runId: string) =>
  (await app.database.ownerPool.query('select status from workflow_runs where id = $1', [runId])).rows[0]
    .status

test('the step under way ends, no other begins, and the run goes on after it in another process', async () => {
  const first = await worker()
  const runId = await madeRun()
  await called(`/${runId}/one`)
  await setReadOnly(true)
  await vi.waitFor(
    async () => expect((await fetch(`${first.url}/health`)).headers.get('bey-read-only')).toBe('1'),
    { timeout: 30_000, interval: 50 },
  )
  held.find(({ path }) => path === `/${runId}/one`)?.reply.end('{}')
  const isHeld = ['one succeeded 1', 'two pending 0']
  await vi.waitFor(async () => expect(await stepsOf(runId)).toEqual(isHeld), {
    timeout: 60_000,
    interval: 20,
  })
  const executor = await executorOf(runId)
  expect(await first.stop()).toBe(0)
  await worker()
  await vi.waitFor(async () => expect(await executorOf(runId)).not.toBe(executor), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await stepsOf(runId)).toEqual(isHeld)
  expect(held.map(({ path }) => path)).not.toContain(`/${runId}/two`)
  await setReadOnly(false)
  await called(`/${runId}/two`)
  held.find(({ path }) => path === `/${runId}/two`)?.reply.end('{}')
  await vi.waitFor(async () => expect(await statusOf(runId)).toBe('completed'), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await stepsOf(runId)).toEqual(['one succeeded 1', 'two succeeded 1'])
  expect(held.filter(({ path }) => path.startsWith(`/${runId}/`))).toHaveLength(2)
})
