import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'

import type { GivenUser } from './testing/given.ts'
import { testApp } from './testing/app.ts'
import { testDatabaseUrl } from './testing/database.ts'
import { startMain } from './testing/main-child.ts'

// One process answers people, others execute; each is the product as it is started.

const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const web = await testApp({ role: 'web', databaseUrl, secretKey })
const worker = () =>
  startMain({
    BEY_ROLE: 'worker',
    DATABASE_URL: databaseUrl,
    BEY_SECRET_KEY: secretKey.toString('base64'),
  })

/** What the steps call: each request is an effect that must happen once. */
const effects: string[] = []
const outside = createServer((request, reply) => {
  effects.push(request.url ?? '')
  setTimeout(() => reply.end('{}'), 300)
})
await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
afterAll(() => outside.close())
const outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

async function makeWorkflow({ token, organizationId }: GivenUser): Promise<string> {
  const call = (key: string) => ({
    key,
    name: key,
    type: 'http',
    // Not repeatable: a process that stops in the middle of it leaves it to a person.
    config: { method: 'POST', url: `${outsideUrl}/{{ run.id }}/${key}` },
  })
  const reply = await web.ask('POST', '/api/v1/workflows', {
    token,
    organizationId,
    body: {
      name: 'Calls',
      steps: [
        call('one'),
        { key: 'pause', name: 'Pause', type: 'wait', config: { duration_ms: 200 } },
        { ...call('left'), needs: ['pause'] },
        { ...call('right'), needs: ['pause'] },
        { ...call('last'), needs: ['left', 'right'] },
      ],
    },
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.workflow.id
}

async function execute(user: GivenUser, workflowId: string): Promise<string> {
  const { token, organizationId } = user
  const reply = await web.ask('POST', `/api/v1/workflows/${workflowId}/execute`, {
    token,
    organizationId,
    body: {},
  })
  expect(reply.status, reply.text).toBe(202)
  return reply.body.run.id
}

const engineOf = async ({ token, organizationId }: GivenUser) =>
  (await web.ask('GET', '/api/workflows/debug/engine-status', { token, organizationId })).body

async function endedAll(user: GivenUser, count: number) {
  const query = `select status, (select max(attempt) from step_runs s where s.run_id = r.id)::int as attempts
    from workflow_runs r where organization_id = $1 and finished_at is not null`
  return vi.waitFor(
    async () => {
      const { rows } = await web.database.ownerPool.query(query, [user.organizationId])
      expect(rows).toHaveLength(count)
      return rows
    },
    { timeout: 60_000, interval: 50 },
  )
}

test('runs wait while only a web process lives, a worker executes them, and it answers nobody', async () => {
  const user = await web.given.user()
  const runId = await execute(user, await makeWorkflow(user))
  expect(await engineOf(user)).toMatchObject({
    engine: { status: 'no_worker', maxConcurrentWorkflows: 0 },
    queue: { depth: 1 },
    workers: [],
  })
  expect((await web.ask('GET', '/metrics')).text).toMatch(/^bey_workers 0$/m)
  const first = await worker()
  expect(await endedAll(user, 1)).toEqual([{ status: 'completed', attempts: 1 }])
  expect(effects.filter((url) => url.startsWith(`/${runId}/`))).toHaveLength(4)
  const status = await engineOf(user)
  expect(status.engine).toMatchObject({ status: 'running', maxConcurrentWorkflows: 32 })
  expect(status.workers).toMatchObject([{ role: 'worker', isThisOne: false, maxRuns: 32 }])

  const ask = (path: string, init?: RequestInit) => fetch(`${first.url}${path}`, init)
  expect((await ask('/health')).status).toBe(200)
  expect(await (await ask('/metrics')).text()).toMatch(/^bey_workers 1$/m)
  const refused = ['/', '/api/v1/workflows', '/api/auth/me', '/api/docs']
  for (const path of refused) expect([path, (await ask(path)).status]).toEqual([path, 404])
  const login = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  expect((await ask('/api/auth/login', login)).status).toBe(404)
  const socket = new WebSocket(`${first.url.replace('http', 'ws')}/ws`)
  const ending = await new Promise((resolve) => {
    socket.once('open', () => resolve('open'))
    socket.once('error', () => resolve('refused'))
  })
  expect(ending).toBe('refused')
  expect(await first.stop()).toBe(0)
})

test('a rolling restart loses no run and repeats no effect', async () => {
  const user = await web.given.user()
  const workflowId = await makeWorkflow(user)
  const before = effects.length
  const runs = 8
  const [old] = await Promise.all([
    worker(),
    ...Array.from({ length: runs }, () => execute(user, workflowId)),
  ])
  const next = await worker()
  const third = execute(user, workflowId)
  expect(await old?.stop()).toBe(0)
  await third
  const last = await worker()
  expect(await next.stop()).toBe(0)
  const all = await endedAll(user, runs + 1)
  expect(new Set(all.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(
    new Set(['completed 1']),
  )
  const made = effects.slice(before)
  expect(made).toHaveLength((runs + 1) * 4)
  expect(new Set(made).size).toBe(made.length)
  await last.kill()
})
