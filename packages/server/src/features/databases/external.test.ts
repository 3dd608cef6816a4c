import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

import { afterAll, expect, test } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { databaseApi, query } from './testing/database-api.ts'

const app = await testApp()
const { given } = app
const api = databaseApi(app, await given.user({ role: 'MEMBER' }))
const { ask, until, embedded, lookNow } = api
// The server that somebody else runs: any PostgreSQL that is reached by an address.
const server = await embedded('somebody-else')
const { endpoint, password } = server
const place = `${endpoint.host}:${endpoint.port}`
const good = `postgresql://${endpoint.username}:${password}@${place}/${endpoint.database}?sslmode=disable`

const web = createServer((_request, response) => response.end('Not PostgreSQL'))
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', () => resolve()))
afterAll(() => web.close())
// A server that listens on an address has a port.
const webPort = (web.address() as AddressInfo).port

// One that answers a request for TLS as PostgreSQL without it does.
const clear = createTcpServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', () => socket.write('N'))
})
await new Promise<void>((resolve) => clear.listen(0, '127.0.0.1', () => resolve()))
afterAll(() => clear.close())
const clearPort = (clear.address() as AddressInfo).port

const tried = async (uri: string, caPem?: string) =>
  (await ask('POST', '/api/databases/test', { connection: { uri, ...(caPem && { caPem }) } })).body

/** Makes the state of a database an old one, and looks at it. */
async function lasts(id: string): Promise<void> {
  await app.database.ownerPool.query(
    `update databases set status_since = now() - interval '1 minute' where id = $1`,
    [id],
  )
  await lookNow()
}

/** Titles of what the member was notified of about a database, the newest first. */
async function toldOf(id: string): Promise<string[]> {
  const { body } = await ask('GET', '/api/notifications')
  type Told = { title: string; subject: { type: string; id: string } | null }
  return body.notifications
    .filter(({ subject }: Told) => subject?.type === 'database' && subject.id === id)
    .map(({ title }: Told) => title)
}

test('a connection that works says what answers, and nothing is stored', async () => {
  expect(await tried(good)).toMatchObject({
    isReachable: true,
    problem: null,
    version: server.version,
    isEncrypted: false,
  })
  const { body } = await ask('GET', '/api/databases')
  expect(body.databases.map(({ name }: { name: string }) => name)).toEqual(['somebody-else'])
})

test.each([
  ['host', good.replace('127.0.0.1', 'nowhere.invalid'), 'The host name "nowhere.invalid" is not known.'],
  ['port', good.replace(String(endpoint.port), '1'), 'Nothing accepts connections on port 1 of 127.0.0.1.'],
  ['program', good.replace(String(endpoint.port), String(webPort)), 'without speaking PostgreSQL'],
  ['user', good.replace('//somebody_else', '//nobody'), 'refuses the user "nobody" with this password'],
  ['password', good.replace(password, 'wrong'), 'refuses the user "somebody_else" with this password'],
  ['absent password', good.replace(`:${password}`, ''), 'asks for a password'],
  ['database', good.replace(`/${endpoint.database}?`, '/nothing?'), 'has no database "nothing"'],
  [
    'TLS',
    good.replace('disable', 'require').replace(String(endpoint.port), String(clearPort)),
    'offers no TLS',
  ],
  ['link-local address', good.replace('127.0.0.1', '169.254.169.254'), '169.254.169.254'],
])('a wrong %s is said in a sentence', async (_part, uri, sentence) => {
  const test = await tried(uri)
  expect(test).toMatchObject({ isReachable: false, problem: expect.stringContaining(sentence) })
  expect(test.problem).not.toContain(password)
})

test.each([
  ['postgresql://', 'connection.uri'],
  ['postgresql://127.0.0.1/app', 'The user is missing'],
  ['postgresql://a@h1,h2/app', 'Name one host'],
  ['postgresql://a@b/c?sslmode=maybe', 'There is no such sslmode'],
  ['postgresql://a@b/c?sslrootcert=/etc/ca.pem', 'sslrootcert'],
  ['postgresql://a:%zz@b/c', 'percent sign'],
])('the connection string %s is refused before anything is asked', async (uri, words) => {
  const reply = await ask('POST', '/api/databases/test', { connection: { uri } })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(JSON.stringify(reply.body)).toContain(words)
})

test('an external database is looked at, lost with its cause, and found again by itself', async () => {
  const made = await ask('POST', '/api/databases', {
    provider: 'external',
    name: 'legacy',
    connection: { uri: good },
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ status: 'connecting', plan: null, endpoint: { host: '127.0.0.1' } })
  expect(made.text).not.toContain(password)
  const { id } = made.body
  const found = await until(id, { status: 'available', figures: { maxConnections: 25 } })
  expect(found.version).toBe(server.version)
  const names = 'connections,connections_max,size_bytes'
  const curves = await ask('GET', `/api/metrics/database?ids=${id}&metrics=${names}&range=3600`)
  const measured = curves.body.series.map(({ metric }: { metric: string }) => metric)
  expect(measured.toSorted()).toEqual(['connections', 'connections_max', 'size_bytes'])
  expect((await ask('POST', `/api/databases/${id}/restart`)).body.detail).toContain('not run by Bey')

  await ask('POST', `/api/databases/${server.id}/hibernate`)
  await until(server.id, { status: 'hibernated' })
  await lookNow()
  const lost = await until(id, { status: 'unreachable', health: { state: 'failing' } })
  expect(lost.reason).toContain('Nothing accepts connections')
  const { body } = await ask('GET', '/api/databases')
  expect(body.summary).toMatchObject({ total: 2, unreachable: 1, attention: 1 })
  expect(body.databases[0].name).toBe('legacy')
  const dashboard = async () => (await ask('GET', '/api/analytics/dashboard')).body
  expect(await dashboard()).toMatchObject({
    summary: { state: 'failing', text: '1 database does not answer: legacy' },
    attention: {
      items: [
        { kind: 'Database', name: 'legacy', href: `/databases/${id}`, health: { detail: lost.reason } },
      ],
    },
  })
  // Members are told of what lasts, once.
  expect(await toldOf(id)).toEqual([])
  await lasts(id)
  await expect.poll(() => toldOf(id), { timeout: 60_000 }).toEqual(['legacy does not answer'])
  await lasts(id)

  await ask('POST', `/api/databases/${server.id}/resume`)
  await until(server.id, { status: 'available' })
  await lookNow()
  await until(id, { status: 'available', reason: null })
  expect(await dashboard()).toMatchObject({ summary: { text: 'No cluster yet' }, attention: { items: [] } })
  await lasts(id)
  await expect
    .poll(() => toldOf(id), { timeout: 60_000 })
    .toEqual(['legacy has recovered', 'legacy does not answer'])

  const elsewhere = good.replace(password, 'wrong')
  await ask('PUT', `/api/databases/${id}/connection`, { connection: { uri: elsewhere } })
  await until(id, { status: 'unreachable', reason: expect.stringContaining('with this password') })
  await ask('PUT', `/api/databases/${id}/connection`, { connection: { uri: good } })
  await until(id, { status: 'available' })

  expect((await ask('DELETE', `/api/databases/${id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${id}`)).status, { timeout: 60_000 })
    .toBe(404)
  expect(await query(endpoint, password, 'select 1 as one')).toEqual([{ one: 1 }])
}, 180_000)
