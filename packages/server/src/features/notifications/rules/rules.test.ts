import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { publishAll } from '../../../platform/live/publish.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { createNotify, type Notice } from './notify.ts'

const app = await testApp()
const { ask, given, database } = app
const notify = createNotify({ publish: publishAll, clock: realClock })

/** What a host of ours was sent, by path. */
const received: {
  path: string
  body: { text?: string; notifications?: { title: string; count: number }[] }
}[] = []
const host = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    received.push({ path: request.url ?? '', body: JSON.parse(text) as (typeof received)[0]['body'] })
    if (request.url === '/moved') response.writeHead(302, { location: '/hook' })
    else if (request.url === '/failing') response.writeHead(500)
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(host, 'listening')
const hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
afterAll(() => host.close())
const sentTo = (path: string) => received.filter((each) => each.path === path).map(({ body }) => body)

const rule = {
  name: 'failures',
  events: ['run.failed'],
  minSeverity: 'info',
  whose: 'anyone',
  clusterIds: [],
  workflowIds: [],
  inApp: true,
  mail: false,
  channelIds: [] as string[],
  quiet: null,
  timeZone: 'UTC',
  digest: 'none',
  mutedUntil: null,
  isEnabled: true,
}

const of = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const make = (user: GivenUser, change: Record<string, unknown>) =>
  ask('POST', '/api/notification-rules', { ...of(user), body: { ...rule, owner: 'organization', ...change } })
const addChannel = async (user: GivenUser, path: string, kind = 'webhook') => {
  const body = { name: `To ${path.slice(1)}`, kind, url: `${hostUrl}${path}` }
  return ask('POST', '/api/notification-channels', { ...of(user), body })
}
const titles = async (user: GivenUser): Promise<string[]> =>
  (await ask('GET', '/api/notifications', of(user))).body.notifications.map(
    ({ title }: { title: string }) => title,
  )

const failed = (organizationId: number, change: Partial<Notice> = {}) =>
  database.withTenant(organizationId, (db) =>
    notify(db, {
      organizationId,
      kind: 'run',
      event: 'run.failed',
      level: 'error',
      title: 'Deploy failed',
      detail: 'no quota',
      href: '/workflows/runs',
      subject: { type: 'cluster', id: '7', name: 'prod' },
      clusterId: 7,
      concerned: [],
      ...change,
    }),
  )

test('without rules those whom it concerns are notified; with one, those whom it names', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  await failed(organizationId, { concerned: [member.id] })
  expect([await titles(owner), await titles(member)]).toEqual([[], ['Deploy failed']])
  await make(owner, { clusterIds: [7] })
  await failed(organizationId, { title: 'Second' })
  await failed(organizationId, { title: 'Elsewhere', clusterId: 8 })
  await failed(organizationId, { title: 'Fine', event: 'run.completed', level: 'success' })
  expect(await titles(owner)).toEqual(['Second'])
  expect(await titles(member)).toEqual(['Second', 'Deploy failed'])
})

test('a person’s own rules are in force for them instead of the organization’s, and can be muted', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const quiet = await given.user({ organizationId, role: 'VIEWER' })
  await make(owner, {})
  const own = await make(quiet, { owner: 'mine', minSeverity: 'error', whose: 'mine' })
  expect(own.status, own.text).toBe(201)
  await failed(organizationId)
  expect([await titles(owner), await titles(quiet)]).toEqual([['Deploy failed'], []])
  await failed(organizationId, { title: 'Mine', concerned: [quiet.id] })
  expect(await titles(quiet)).toEqual(['Mine'])
  const { id, owner: _owner, ...kept } = own.body
  const mutedUntil = new Date(Date.now() + 3_600_000).toISOString()
  const path = `/api/notification-rules/${id}`
  expect((await ask('PUT', path, { ...of(quiet), body: { ...kept, mutedUntil } })).status).toBe(200)
  await failed(organizationId, { title: 'Muted', concerned: [quiet.id] })
  expect(await titles(quiet)).toEqual(['Mine'])
})

test('a channel gets what rules send, in its format, and the same again is counted', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const [slack, json] = [await addChannel(owner, '/slack', 'slack'), await addChannel(owner, '/json')]
  await make(owner, { channelIds: [slack.body.id, json.body.id] })
  await failed(organizationId, { title: 'A <b> & c' })
  await failed(organizationId, { title: 'A <b> & c' })
  await vi.waitFor(() => expect(sentTo('/json')).toHaveLength(1), 60_000)
  await vi.waitFor(() => expect(sentTo('/slack')).toHaveLength(1), 60_000)
  expect(sentTo('/json')).toMatchObject([{ notifications: [{ title: 'A <b> & c', count: 2 }] }])
  expect(sentTo('/slack')[0]?.text).toContain(':red_circle: *A &lt;b&gt; &amp; c* (2 times) no quota')
  // Sent a moment ago: what follows waits and is counted.
  await failed(organizationId)
  const { rows } = await database.ownerPool.query<{ wait: boolean }>(
    `select due_at > now() + interval '10 minutes' as wait from notification_deliveries
     where organization_id = $1 and sent_at is null`,
    [organizationId],
  )
  expect(rows).toEqual([{ wait: true }, { wait: true }])
  const listed = await ask('GET', '/api/notification-channels', of(owner))
  expect(listed.body.channels[0]).toMatchObject({ lastSentAt: expect.any(String), lastError: null })
  expect(listed.text).not.toContain('/json')
})

test('a person’s own rule sends to their own channels alone, which nobody else sees or uses', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const shared = (await addChannel(owner, '/shared')).body
  const body = { owner: 'mine', name: 'My desk', kind: 'slack', url: `${hostUrl}/desk` }
  const own = await ask('POST', '/api/notification-channels', { ...of(member), body })
  expect([own.status, own.body.owner]).toEqual([201, 'mine'])
  const seen = async (user: GivenUser) =>
    (await ask('GET', '/api/notification-channels', of(user))).body.channels.map(
      ({ name }: { name: string }) => name,
    )
  expect([await seen(owner), await seen(member)]).toEqual([['To shared'], ['My desk']])
  const mine = { owner: 'mine', inApp: false }
  expect((await make(member, { ...mine, channelIds: [shared.id] })).body.code).toBe('conflict')
  expect((await make(owner, { channelIds: [own.body.id] })).body.code).toBe('conflict')
  const path = `/api/notification-channels/${own.body.id}`
  expect((await ask('POST', `${path}/test`, of(owner))).body.code).toBe('not_found')
  expect((await ask('DELETE', path, of(owner))).body.code).toBe('not_found')
  expect((await make(member, { ...mine, channelIds: [own.body.id] })).status).toBe(201)
  await failed(organizationId, { title: 'For my desk' })
  await vi.waitFor(() => expect(sentTo('/desk')).toHaveLength(1), 60_000)
  expect(sentTo('/desk')[0]?.text).toContain('For my desk')
  expect([sentTo('/shared'), await titles(member)]).toEqual([[], []])
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  const refused = await ask('POST', '/api/notification-channels', { ...of(viewer), body })
  expect(refused.body.code).toBe('forbidden')
  const organizational = { ...body, owner: 'organization' }
  const asMember = { ...of(member), body: organizational }
  expect((await ask('POST', '/api/notification-channels', asMember)).body.code).toBe('forbidden')
})

test('a rule that names clusters and workflows is about either', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const workflowId = '019a7f04-6c1f-7d2a-9d55-0d8a3c1e7b42'
  await make(owner, { clusterIds: [7], workflowIds: [workflowId] })
  await failed(organizationId, { title: 'Of the cluster' })
  await failed(organizationId, { title: 'Of the workflow', clusterId: undefined, workflowId })
  await failed(organizationId, { title: 'Of neither', clusterId: 8, workflowId: undefined })
  expect(await titles(owner)).toEqual(['Of the workflow', 'Of the cluster'])
})

test('a test says how the host answered; nothing follows a redirect', async () => {
  const owner = await given.user()
  for (const [path, isDelivered, message] of [
    ['/test', true, 'The message was taken.'],
    ['/failing', false, 'The host answered 500.'],
    ['/moved', false, 'The host answered 302.'],
  ] as const) {
    const { body } = await addChannel(owner, path)
    const reply = await ask('POST', `/api/notification-channels/${body.id}/test`, of(owner))
    expect(reply.body).toMatchObject({ isDelivered, message })
    const { channels } = (await ask('GET', '/api/notification-channels', of(owner))).body
    expect(channels.find(({ id }: { id: string }) => id === body.id)).toMatchObject({
      lastError: isDelivered ? null : message,
      lastSentAt: isDelivered ? expect.any(String) : null,
    })
  }
  expect(sentTo('/hook')).toEqual([])
  const body = { name: 'inward', kind: 'webhook', url: 'http://169.254.169.254/latest' }
  expect((await ask('POST', '/api/notification-channels', { ...of(owner), body })).body.code).toBe('conflict')
})

test('members keep rules of their own, and only admins those of the organization', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  expect((await make(viewer, {})).body.code).toBe('forbidden')
  const shared = (await make(owner, {})).body
  const own = (await make(viewer, { owner: 'mine', name: 'mine' })).body
  const listed = await ask('GET', '/api/notification-rules', of(viewer))
  expect(listed.body.rules.map(({ name }: { name: string }) => name)).toEqual(['failures', 'mine'])
  const drop = (user: GivenUser, id: string) => ask('DELETE', `/api/notification-rules/${id}`, of(user))
  expect((await drop(viewer, shared.id)).body.code).toBe('forbidden')
  expect((await drop(owner, own.id)).body.code).toBe('not_found')
  expect((await drop(viewer, own.id)).status).toBe(204)
  expect((await make(viewer, { owner: 'mine', mail: true })).body.code).toBe('conflict')
  expect((await make(viewer, { owner: 'mine', timeZone: 'Nowhere' })).status).toBe(400)
})
