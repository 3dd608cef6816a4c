import { expect, test } from 'vitest'
import { type Ask, testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { maxGroupsOfOne, maxOccurrences } from './ingest-store.ts'

const app = await testApp()
const { ask, given } = app

const as = ({ token, organizationId }: GivenUser): Ask => ({ token, organizationId })
const at = '2026-11-21T12:00:00.000Z'
let counter = 0
/** A message that is the same error as no other. */
const unique = () =>
  `Broken ${String((counter += 1)).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`

type Entry = Record<string, unknown>

async function log(user: GivenUser, ...entries: Entry[]) {
  const errors = entries.map((entry) => ({ timestamp: at, ...entry }))
  return ask('POST', '/api/v1/errors/log', { ...as(user), body: { errors } })
}

async function logged(user: GivenUser, ...entries: Entry[]): Promise<string[]> {
  const reply = await log(user, ...entries)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.errorIds
}

async function groupOf(user: GivenUser, id: string) {
  return (await ask('GET', `/api/v1/errors/${id}`, as(user))).body.group
}

async function latest(user: GivenUser, id: string) {
  const { body } = await ask('GET', `/api/v1/errors/${id}`, as(user))
  const path = `/api/v1/errors/${id}/occurrences/${body.latestOccurrenceId}`
  return (await ask('GET', path, as(user))).body.occurrence
}

test('an entry is kept with every field that is specified', async () => {
  const user = await given.user({ role: 'VIEWER' })
  const entry = {
    message: 'Cannot read properties of undefined',
    stack:
      'TypeError: x\n    at ClusterList (http://localhost:8080/assets/cluster-list-page-BzX3d_1q.js:1:20)',
    componentStack: '\n    at ClusterList (http://localhost:8080/assets/cluster-list-page-BzX3d_1q.js:1:20)',
    source: 'http://localhost:8080/assets/cluster-list-page-BzX3d_1q.js',
    line: 1,
    column: 20,
    userAgent: 'Mozilla/5.0 Test',
    url: 'http://localhost:8080/kubernetes/clusters',
    userId: user.id,
    organizationId: user.organizationId,
    sessionId: 'visit-1',
    errorBoundary: 'route /kubernetes/clusters',
    errorBoundaryStack: '\n    at Shell',
    additionalContext: {
      kind: 'boundary',
      release: '0.1.0+abc',
      breadcrumbs: [{ at, type: 'route', message: '/' }],
    },
  }
  const [id = ''] = await logged(user, entry)
  const { kind, release, ...rest } = entry.additionalContext
  const { userId: _user, organizationId: _organization, timestamp, ...fields } = { ...entry, timestamp: at }
  expect(await latest(user, id)).toMatchObject({
    ...fields,
    reportedAt: timestamp,
    release,
    user: { id: user.id, name: user.name },
    additionalContext: { ...rest, kind },
    frames: [
      {
        functionName: 'ClusterList',
        file: 'assets/cluster-list-page-BzX3d_1q.js',
        isOwn: true,
        isResolved: false,
      },
    ],
  })
  expect(await groupOf(user, id)).toMatchObject({
    message: entry.message,
    kind: 'boundary',
    culprit: 'assets/cluster-list-page.js',
    status: 'open',
    occurrenceCount: 1,
    userCount: 1,
    firstRelease: release,
    lastRelease: release,
    regressedAt: null,
  })
})

test('who reports is taken from the session, whatever the entry says', async () => {
  const [user, other] = [await given.user(), await given.user()]
  const [id = ''] = await logged(user, {
    message: unique(),
    userId: other.id,
    organizationId: other.organizationId,
  })
  expect((await latest(user, id)).user.id).toBe(user.id)
  expect((await ask('GET', `/api/v1/errors/${id}`, as(other))).status).toBe(404)
  expect((await ask('GET', '/api/v1/errors', as(other))).body.groups).toEqual([])
})

test('what differs between builds, ids and numbers does not make another error', async () => {
  const user = await given.user()
  const stack = (hash: string, place: string) =>
    `Error: x\n    at ${place[0]} (http://localhost/assets/run-list-page-${hash}.js:1:${place.length})`
  const ids = await logged(
    user,
    { message: 'Run 12 of 0191d3a4-1111-7000-8000-000000000001 failed', stack: stack('AAAAAAAA', 'a') },
    { message: 'Run 7 of 0191d3a4-2222-7000-8000-000000000002 failed', stack: stack('BBBB_BB-', 'bbbbbb') },
    {
      message: 'Run 7 of 0191d3a4-2222-7000-8000-000000000002 failed',
      stack: 'at x (http://localhost/assets/workflow-list-page-BBBBBBBB.js:1:2)',
    },
  )
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('a loop is counted whole while only the latest occurrences are kept', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId })
  const message = unique()
  let id = ''
  for (let call = 0; call < 4; call += 1) {
    const entries = Array.from({ length: 20 }, () => ({ message, additionalContext: { repeats: 9 } }))
    ;[id = ''] = await logged(call === 0 ? colleague : user, ...entries)
  }
  const group = await groupOf(user, id)
  expect(group).toMatchObject({ occurrenceCount: 800, userCount: 2 })
  expect(group.trend.at(-1)).toBe(800)
  expect(group.trend).toHaveLength(24)
  const { body } = await ask('GET', `/api/v1/errors/${id}/occurrences?limit=200`, as(user))
  expect(body.occurrences).toHaveLength(maxOccurrences)
})

test('beyond what may be kept within a minute errors are counted all the same', async () => {
  const user = await given.user()
  const ids = new Set<string>()
  const messages = Array.from({ length: 20 }, unique)
  for (let call = 0; call < 17; call += 1) {
    for (const id of await logged(user, ...messages.map((message) => ({ message })))) ids.add(id)
  }
  const { rows } = await app.database.ownerPool.query(
    `select (select sum(occurrence_count)::int from error_groups where organization_id = $1) as counted,
            (select count(*)::int from error_occurrences where organization_id = $1) as kept`,
    [user.organizationId],
  )
  expect(ids.size).toBe(20)
  expect(rows).toEqual([{ counted: 340, kept: 300 }])
})

test('an organization with a thousand errors counts new ones together', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `insert into error_groups (id, organization_id, fingerprint, message, culprit, kind, first_seen_at, last_seen_at, first_release, last_release)
     select gen_random_uuid(), $1, sha256(n::text::bytea), 'm', '', 'error', now(), now(), '1', '1' from generate_series(1, 1000) n`,
    [user.organizationId],
  )
  const ids = await logged(user, { message: unique() }, { message: unique() })
  expect(ids[0]).toBe(ids[1])
  expect(await groupOf(user, ids[0] ?? '')).toMatchObject({
    message: expect.stringContaining('More different errors than are kept apart'),
    occurrenceCount: 2,
  })
})

test('what one person alone has met fills a part of the errors, and others’ errors are kept apart', async () => {
  const [user, known] = [await given.user({ role: 'VIEWER' }), unique()]
  const { organizationId } = user
  const colleague = await given.user({ organizationId })
  const [first = ''] = await logged(user, { message: known })
  await app.database.ownerPool.query(
    `with junk as (
       insert into error_groups (id, organization_id, fingerprint, message, culprit, kind, user_count,
         first_seen_at, last_seen_at, first_release, last_release)
       select gen_random_uuid(), $1, sha256(n::text::bytea), 'm', '', 'error', 1, now(), now(), '1', '1'
       from generate_series(2, $3) n returning id
     )
     insert into error_users (organization_id, group_id, user_id) select $1, id, $2 from junk`,
    [organizationId, user.id, maxGroupsOfOne],
  )
  const [one = '', two] = await logged(user, { message: unique() }, { message: unique() })
  expect(two).toBe(one)
  expect(await groupOf(user, one)).toMatchObject({
    message: expect.stringContaining('are counted here together'),
    occurrenceCount: 2,
  })
  expect(await logged(user, { message: known })).toEqual([first])
  const [theirs = ''] = await logged(colleague, { message: 'Another’s error' })
  expect(await groupOf(user, theirs)).toMatchObject({ message: 'Another’s error', occurrenceCount: 1 })
  // What a colleague meets as well is not this person's alone any more, and leaves room for another.
  expect(await logged(colleague, { message: known })).toEqual([first])
  const [room = ''] = await logged(user, { message: 'There is room for one' })
  expect(await groupOf(user, room)).toMatchObject({ message: 'There is room for one' })
})

test('credentials are removed before anything is kept', async () => {
  const user = await given.user()
  const secret = 'hunter2-very-secret'
  const [id = ''] = await logged(user, {
    message: `Login failed: password=${secret}`,
    stack: `Error\n    at f (http://localhost/assets/a-BBBBBBBB.js?token=${secret}:1:2)`,
    componentStack: `Bearer ${secret}`,
    url: `http://localhost/reset-password?token=${secret}#${secret}`,
    source: `http://ada:${secret}@localhost/x`,
    additionalContext: {
      password: secret,
      nested: { apiKey: secret, text: `client-key-data: ${'QUJD'.repeat(8)}` },
      breadcrumbs: [{ at, type: 'api', message: `GET /x?access_token=${secret}` }],
    },
  })
  const { rows } = await app.database.ownerPool.query(
    `select (select row_to_json(g) from error_groups g where id = $1)::text
         || (select row_to_json(o) from error_occurrences o where group_id = $1)::text as kept`,
    [id],
  )
  expect(rows[0].kept).toContain('[redacted]')
  expect(rows[0].kept).not.toContain(secret)
  expect(rows[0].kept).not.toContain('QUJDQUJD')
})

test('resolving, ignoring and opening again are audited; asking twice changes nothing', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const [id = ''] = await logged(user, { message: unique() })
  const set = (status: string) => ask('PATCH', `/api/v1/errors/${id}`, { ...as(user), body: { status } })
  for (const status of ['resolved', 'resolved', 'open', 'ignored']) {
    expect((await set(status)).body.group).toMatchObject({
      status,
      statusChangedBy: { name: user.name, email: user.email },
    })
  }
  const { rows } = await app.database.ownerPool.query(
    `select action, diff from audit_entries where target_id = $1 order by seq`,
    [id],
  )
  expect(rows).toEqual([
    { action: 'error.resolve', diff: { status: ['open', 'resolved'] } },
    { action: 'error.reopen', diff: { status: ['resolved', 'open'] } },
    { action: 'error.ignore', diff: { status: ['open', 'ignored'] } },
  ])
  expect((await set('deleted')).body.code).toBe('invalid_request')
})

test('a resolved error that happens again is open as a regression; an ignored one stays ignored', async () => {
  const user = await given.user()
  const message = unique()
  const [id = ''] = await logged(user, { message })
  const path = `/api/v1/errors/${id}`
  await ask('PATCH', path, { ...as(user), body: { status: 'resolved' } })
  await logged(user, { message })
  expect(await groupOf(user, id)).toMatchObject({
    status: 'open',
    occurrenceCount: 2,
    regressedAt: expect.any(String),
    statusChangedBy: null,
  })
  const { rows } = await app.database.ownerPool.query(
    `select actor_type, action from audit_entries where target_id = $1 order by seq desc limit 1`,
    [id],
  )
  expect(rows).toEqual([{ actor_type: 'system', action: 'error.regress' }])
  await ask('PATCH', path, { ...as(user), body: { status: 'ignored' } })
  await logged(user, { message })
  expect(await groupOf(user, id)).toMatchObject({ status: 'ignored', occurrenceCount: 3 })
})

test('the list is filtered, searched and sorted by the server', async () => {
  const user = await given.user()
  const release = (name: string) => ({ additionalContext: { release: name } })
  const [often = '', once = ''] = await logged(
    user,
    { message: 'Apples rot', ...release('1.0.0') },
    { message: 'Pears 100% ripe', additionalContext: { release: '2.0.0', kind: 'rejection' } },
    { message: 'Apples rot', ...release('1.1.0') },
  )
  const list = async (query: string) => {
    const { body } = await ask('GET', `/api/v1/errors?${query}`, as(user))
    return body.groups.map((group: { id: string }) => group.id)
  }
  expect(await list('sort=occurrenceCount')).toEqual([often, once])
  expect(await list('sort=occurrenceCount&order=asc')).toEqual([once, often])
  expect(await list('search=APPLE')).toEqual([often])
  expect(await list(`search=${encodeURIComponent('0% r')}`)).toEqual([once])
  expect(await list('kind=rejection')).toEqual([once])
  expect(await list('release=2.0.0')).toEqual([once])
  expect(await list('status=resolved')).toEqual([])
  const { body } = await ask('GET', '/api/v1/errors/releases', as(user))
  expect(body.releases.toSorted()).toEqual(['1.1.0', '2.0.0'])
  await app.database.ownerPool.query(
    `insert into error_hours (organization_id, group_id, hour, occurrence_count)
     select $1, $2, date_trunc('day', now(), 'UTC') - make_interval(days => n / 24, hours => n % 24), 1
     from generate_series(1, 15 * 24) n`,
    [user.organizationId, once],
  )
  const trendOf = async (period: string) => {
    const { body: found } = await ask('GET', `/api/v1/errors/${once}?period=${period}`, as(user))
    return found.group.trend
  }
  // Thirteen whole days and today, in days of UTC, whatever is older.
  expect(await trendOf('14d')).toEqual([...Array(13).fill(24), 1])
  expect((await trendOf('24h')).at(-1)).toBe(1)
  const { body: daily } = await ask('GET', '/api/v1/errors?period=14d&limit=1', as(user))
  expect(daily.groups[0].trend).toHaveLength(14)
  expect(daily.total).toBe(2)
})

test.each([
  ['no entries', { errors: [] }],
  ['too many entries', { errors: Array.from({ length: 21 }, () => ({ message: 'x', timestamp: at })) }],
  ['a message that is too long', { errors: [{ message: 'x'.repeat(2001), timestamp: at }] }],
  ['a stack that is too long', { errors: [{ message: 'x', stack: 'x'.repeat(12_001), timestamp: at }] }],
  [
    'a context that is too large',
    { errors: [{ message: 'x', timestamp: at, additionalContext: { a: 'x'.repeat(12_000) } }] },
  ],
  ['a context that is a list', { errors: [{ message: 'x', timestamp: at, additionalContext: [] }] }],
  ['a line that is no number', { errors: [{ message: 'x', timestamp: at, line: 'one' }] }],
  ['no time', { errors: [{ message: 'x' }] }],
  ['a NUL', { errors: [{ message: 'x\0', timestamp: at }] }],
])('%s is refused, and nothing is kept', async (_what, body) => {
  const user = await given.user()
  const reply = await ask('POST', '/api/v1/errors/log', { ...as(user), body })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect((await ask('GET', '/api/v1/errors', as(user))).body.total).toBe(0)
})

test('a batch that is sent again under its key is counted once', async () => {
  const user = await given.user()
  const options = {
    ...as(user),
    body: { errors: [{ message: unique(), timestamp: at }] },
    headers: { 'idempotency-key': 'batch-1' },
  }
  const first = await ask('POST', '/api/v1/errors/log', options)
  const second = await ask('POST', '/api/v1/errors/log', options)
  expect(second.body).toEqual(first.body)
  expect(await groupOf(user, first.body.errorIds[0])).toMatchObject({ occurrenceCount: 1 })
})

test('a context with the name __proto__ changes nothing but itself', async () => {
  const user = await given.user()
  const body = `{"errors":[{"message":"${unique()}","timestamp":"${at}","additionalContext":{"__proto__":{"isAdmin":true}}}]}`
  const reply = await ask('POST', '/api/v1/errors/log', { ...as(user), body })
  expect(reply.status).toBe(400)
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
})
