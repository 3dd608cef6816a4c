import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { auditEntries } from '../../tables/audit-entries.ts'
import type { GivenUser } from '../../testing/given.ts'
import { runningApp } from './testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-tickets-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const member = await given.user({ role: 'MEMBER', organizationId })
const viewer = await given.user({ role: 'VIEWER', organizationId })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(organizationId, connection)
const other = await cluster(organizationId, connection)

const at = (rest: string, id = prod.id) => `/api/kubernetes/clusters/${id}${rest}`
const as = (user: GivenUser) => ({ token: user.token, organizationId })

async function post(path: string, body: object, user: GivenUser, id = prod.id) {
  return call('POST', at(path, id), {
    ...as(user),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

beforeAll(async () => {
  const made = await post(
    '/proxy/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'nginx:1.29', ports: [{ containerPort: 80 }] }] },
    },
    owner,
  )
  expect(made.status).toBe(201)
  await vi.waitUntil(
    async () => {
      const pod = (await call('GET', at('/proxy/api/v1/namespaces/default/pods/web'), as(owner))).json()
      return (pod as { status?: { phase?: string } }).status?.phase === 'Running'
    },
    { timeout: 60_000 },
  )
})

const exec = (command: string) =>
  `/api/v1/namespaces/default/pods/web/exec?container=app&stdout=true&stderr=true&command=${command}`

async function ticketFor(path: string, user = member): Promise<string> {
  const reply = await post('/stream-tickets', { path }, user)
  expect(reply.status).toBe(201)
  return (reply.json() as { ticket: string }).ticket
}

type Opened = { status: number; output: string; end: unknown }

/** Opens a socket as a browser does: no header but the subprotocols and the origin. */
function open(path: string, ticket: string, { id = prod.id, origin = '' } = {}): Promise<Opened> {
  const url = `wss://localhost:${app.tlsPort}${at(`/proxy${path}`, id)}`
  const socket = new WebSocket(url, ['v5.channel.k8s.io', `bey.ticket.${ticket}`], {
    rejectUnauthorized: false,
    ...(origin && { origin }),
  })
  return new Promise((resolve) => {
    let output = ''
    let end: unknown
    socket.on('message', (data: Buffer) => {
      if (data[0] === 1) output += data.subarray(1).toString()
      if (data[0] === 3) end = JSON.parse(data.subarray(1).toString())
    })
    socket.on('unexpected-response', (_request, answer: IncomingMessage) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, output, end })
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ status: 101, output, end }))
  })
}

test('a ticket opens one exec, once, and the exec is recorded under its user', async () => {
  const path = exec('echo&command=hello')
  const ticket = await ticketFor(path)
  const first = await open(path, ticket)
  expect(first).toMatchObject({ status: 101, output: 'hello\n', end: { status: 'Success' } })
  expect((await open(path, ticket)).status).toBe(401)
  const entries = await app.database.readTenant(organizationId, (db) =>
    db
      .select()
      .from(auditEntries)
      .where(
        and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.action, 'kubernetes.exec')),
      ),
  )
  expect(entries.map((entry) => entry.outcome)).toEqual(expect.arrayContaining(['unknown', 'success']))
})

test('a ticket is for its path, its cluster and Bey’s own pages, and is used up by the attempt', async () => {
  const path = exec('echo&command=hello')
  expect((await open(exec('cat&command=/etc/hostname'), await ticketFor(path))).status).toBe(401)
  expect((await open(path, await ticketFor(path), { id: other.id })).status).toBe(401)
  expect((await open(path, await ticketFor(path), { origin: 'https://evil.example' })).status).toBe(403)
  expect((await open(path, 'bey_ticket_made-up')).status).toBe(401)
  const own = await open(path, await ticketFor(path), { origin: `https://localhost:${app.tlsPort}` })
  expect(own.status).toBe(101)
})

test('a viewer gets no ticket, and a ticket ends with the session that asked for it', async () => {
  const path = exec('echo&command=hello')
  expect((await post('/stream-tickets', { path }, viewer)).json()).toMatchObject({ code: 'forbidden' })
  const leaving = await given.user({ role: 'MEMBER', organizationId })
  const ticket = await ticketFor(path, leaving)
  await call('POST', '/api/auth/logout', as(leaving))
  expect((await open(path, ticket)).status).toBe(401)
})

test('an open terminal ends when its user logs out', async () => {
  const leaving = await given.user({ role: 'MEMBER', organizationId })
  const path = `${exec('sh')}&stdin=true&tty=true`
  const ticket = await ticketFor(path, leaving)
  const ended = open(path, ticket)
  const isStillOpen = await Promise.race([
    ended.then(() => false),
    new Promise<true>((resolve) => setTimeout(() => resolve(true), 500)),
  ])
  expect(isStillOpen).toBe(true)
  await call('POST', '/api/auth/logout', as(leaving))
  expect((await ended).end).toBeUndefined()
})

test('only exec and attach of a pod have tickets', async () => {
  for (const path of [
    '/api/v1/namespaces/default/secrets?x=1',
    '/api/v1/namespaces/default/pods/web/exec',
    '/api/v1/namespaces/default/pods/../web/exec?command=sh',
    'https://evil.example/exec?x',
  ])
    expect((await post('/stream-tickets', { path }, member)).status).toBe(400)
})

const service = '/api/v1/namespaces/default/pods/http:web:80/proxy/'

async function serviceCookie(user = member): Promise<{ path: string; cookie: string; header: string }> {
  const reply = await post('/service-sessions', { path: service }, user)
  expect(reply.status).toBe(201)
  const header = String(reply.headers['set-cookie'])
  return { path: (reply.json() as { path: string }).path, cookie: header.split(';')[0] ?? '', header }
}

test('a cookie for the pages of one service opens them, confined to an origin of their own', async () => {
  const { path, cookie, header } = await serviceCookie()
  expect(header).toContain(`; Path=${path}; Max-Age=900; HttpOnly; SameSite=Strict`)
  const page = await call('GET', path, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(page.text).toContain('nginx')
  expect(page.headers['content-security-policy']).toBe(
    "sandbox allow-scripts allow-forms allow-popups; frame-ancestors 'none'",
  )
  const api = await call('GET', at('/proxy/api/v1/namespaces/default/pods'), as(member))
  expect(api.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
})

test('the cookie changes nothing, reads nothing else, and is no script of Bey’s own pages', async () => {
  const { path, cookie } = await serviceCookie()
  const tries = [
    call('POST', path, { headers: { cookie }, body: 'x' }),
    call('GET', at('/proxy/api/v1/namespaces/default/pods'), { headers: { cookie } }),
    call('GET', path.replace(`/${prod.id}/`, `/${other.id}/`), { headers: { cookie } }),
    call('GET', `${path}../../../secrets`, { headers: { cookie } }),
    call('GET', '/api/auth/me', { headers: { cookie } }),
    call('GET', path, { headers: { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' } }),
  ]
  for (const reply of await Promise.all(tries)) expect(reply.status).toBe(401)
  expect((await post('/service-sessions', { path: service }, viewer)).status).toBe(403)
})

test('the cookie ends with the session', async () => {
  const leaving = await given.user({ role: 'MEMBER', organizationId })
  const { path, cookie } = await serviceCookie(leaving)
  expect((await call('GET', path, { headers: { cookie } })).status).toBe(200)
  await call('POST', '/api/auth/logout', as(leaving))
  expect((await call('GET', path, { headers: { cookie } })).status).toBe(401)
})
