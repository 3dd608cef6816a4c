import { expect, test, vi } from 'vitest'
import { audit, type AuditEntry } from '../../platform/audit/audit.ts'
import { linkAudit } from '../../platform/audit/linker.ts'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { ask, given, database } = app

type Listed = { id: string; number: number | null; action: string; outcome: string; actor: { name: string } }

const base = (organizationId: number): AuditEntry => ({
  organizationId,
  actor: { type: 'user', id: 7, name: 'Ada', email: 'ada@example.com' },
  via: 'console',
  action: 'secret.reveal',
  class: 'read',
  target: { type: 'secret', id: 's-1', name: 'orders-db-password' },
  ip: '10.8.0.14',
  requestId: 'req-1',
  userAgent: 'Firefox',
})

async function givenTrail() {
  const owner = await given.user()
  const { organizationId } = owner
  const write = (entry: Partial<AuditEntry>) =>
    database.withTenant(organizationId, (db) => audit(db, { ...base(organizationId), ...entry }))
  const list = async (query = '') => {
    const reply = await ask('GET', `/api/audit?${query}`, { token: owner.token, organizationId })
    expect(reply.status, reply.text).toBe(200)
    const entries = reply.body.entries as Listed[]
    return { body: reply.body, entries, actions: entries.map(({ action }) => action) }
  }
  return { owner, organizationId, write, list, link: () => linkAudit(database) }
}

test('entries are found by actor, action, class, resource, outcome, address, request id and time', async () => {
  const { write, list, link } = await givenTrail()
  const bob = { type: 'user', id: 8, name: 'Bob', email: 'bob@example.com' } as const
  await write({})
  await write({ action: 'member.update', class: 'update', actor: bob, ip: '10.8.0.22', requestId: 'req-2' })
  await write({
    action: 'session.begin',
    class: 'auth',
    outcome: 'failure',
    actor: { type: 'user', name: 'unknown', email: null },
  })
  await link()
  for (const [query, actions] of [
    ['', ['session.begin', 'member.update', 'secret.reveal']],
    ['actor=8', ['member.update']],
    ['actorName=unknown', ['session.begin']],
    ['action=secret.reveal', ['secret.reveal']],
    ['class=auth', ['session.begin']],
    ['targetType=secret&targetId=s-1&outcome=success', ['member.update', 'secret.reveal']],
    ['outcome=failure', ['session.begin']],
    ['ip=10.8.0.22', ['member.update']],
    ['requestId=req-2', ['member.update']],
    ['from=2001-01-01T00:00:00Z&to=2002-01-01T00:00:00Z', []],
    ['search=BOB@', ['member.update']],
    ['search=db-pass', ['session.begin', 'member.update', 'secret.reveal']],
    ['search=0.22', ['member.update']],
    ['search=reveal', ['secret.reveal']],
    ['search=req-2', ['member.update']],
    ['search=%25', []],
  ] as const) {
    const { actions: found, body } = await list(query)
    expect([query, found]).toEqual([query, actions])
    expect([query, body.total]).toEqual([query, actions.length])
  }
})

test('pages follow one another by a cursor without a gap, entries of one instant among them', async () => {
  const { organizationId, list, link } = await givenTrail()
  await database.withTenant(organizationId, async (db) => {
    for (let n = 1; n <= 7; n += 1) await audit(db, { ...base(organizationId), action: `step.${n}` })
  })
  await link()
  const seen: string[] = []
  let cursor = ''
  for (let page = 1; page <= 3; page += 1) {
    const { body, actions } = await list(`limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...actions)
    cursor = body.nextCursor ?? ''
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `step.${n}`))
  expect(cursor).toBe('')
  const { entries } = await list()
  expect(entries.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1])
})

test('an act that was announced is listed once with its end, and by itself while nobody knows its end', async () => {
  const { organizationId, list } = await givenTrail()
  const { auditRow, insertAudit } = await import('../../platform/audit/audit.ts')
  const act = { ...base(organizationId), action: 'kubernetes.delete', class: 'delete' } as const
  const intent = auditRow({ ...act, outcome: 'unknown' })
  await database.withTenant(organizationId, (db) => insertAudit(db, [intent]))
  expect((await list()).entries).toMatchObject([{ outcome: 'unknown' }])
  await database.withTenant(organizationId, (db) =>
    insertAudit(db, [auditRow({ ...act, outcome: 'success', intentId: intent.id })]),
  )
  expect((await list()).entries).toMatchObject([{ outcome: 'success' }])
})

test('an object of a cluster has its own acts', async () => {
  const { write, list } = await givenTrail()
  const target = { type: 'cluster', id: 12, name: 'prod' }
  const diff = { verb: 'patch', resource: 'deployments', namespace: 'shop', name: 'web' }
  await write({ action: 'kubernetes.patch', target, diff })
  await write({ action: 'kubernetes.exec', target, diff: { ...diff, resource: 'pods/exec', name: 'web-1' } })
  expect((await list('targetType=cluster&targetId=12')).actions).toHaveLength(2)
  const object = (key: string) => list(`targetType=cluster&targetId=12&object=${encodeURIComponent(key)}`)
  expect((await object('deployments/shop/web')).actions).toEqual(['kubernetes.patch'])
  expect((await object('pods/shop/web-1')).actions).toEqual(['kubernetes.exec'])
})

test('an entry shows what changed, what allowed it, and its link to the entries beside it', async () => {
  const { owner, organizationId, list, link } = await givenTrail()
  const { token } = owner
  const secret = { name: 'db', type: 'password', value: 'hunter2-hunter2' }
  const made = await ask('POST', '/api/secrets', { token, organizationId, body: secret })
  expect(made.status, made.text).toBe(201)
  await ask('POST', '/api/audit/export', { token, organizationId })
  await link()
  const { entries } = await list('action=secret.create')
  const { body } = await ask('GET', `/api/audit/${entries[0]?.id}`, { token, organizationId })
  expect(body).toMatchObject({
    action: 'secret.create',
    role: 'OWNER',
    permission: 'secrets.create',
    sessionId: owner.sessionId,
    requestId: made.headers.get('x-request-id'),
    link: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), isIntact: true },
  })
  expect(JSON.stringify(body)).not.toContain('hunter2')
})

test('who may not read the audit log is refused with the reason, and other organizations have none of it', async () => {
  const { owner, organizationId, write, list } = await givenTrail()
  await write({})
  const [entry] = (await list()).entries
  for (const role of ['VIEWER', 'MEMBER'] as const) {
    const { token } = await given.user({ organizationId, role })
    for (const path of ['', '/choices', '/verification', '/checkpoints', `/${entry?.id}`]) {
      const reply = await ask('GET', `/api/audit${path}`, { token, organizationId })
      expect([role, path, reply.body.code]).toEqual([role, path, 'forbidden'])
    }
    for (const path of ['/verify', '/export']) {
      const reply = await ask('POST', `/api/audit${path}`, { token, organizationId })
      expect([role, path, reply.body.code]).toEqual([role, path, 'forbidden'])
    }
  }
  const stranger = await given.user()
  const within = { token: stranger.token, organizationId: stranger.organizationId }
  expect((await ask('GET', `/api/audit/${entry?.id}`, within)).body.code).toBe('not_found')
  expect((await ask('GET', '/api/audit', within)).body.entries).toEqual([])
  const foreign = await ask('GET', '/api/audit', {
    token: stranger.token,
    organizationId: owner.organizationId,
  })
  expect(foreign.body.code).toBe('not_found')
})

test('a file of entries is streamed as CSV and as JSON lines, is itself an entry, and runs no formula', async () => {
  const { owner, organizationId, write, list } = await givenTrail()
  await write({ target: { type: 'secret', id: 's', name: '=HYPERLINK("http://evil")' } })
  await write({ action: 'other.act' })
  const { token } = owner
  const csv = await ask('POST', '/api/audit/export?format=csv&action=secret.reveal', {
    token,
    organizationId,
  })
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect(csv.headers.get('content-disposition')).toMatch(/audit-\d{4}-\d\d-\d\d\.csv/)
  const [head, row, ...rest] = csv.text.trim().split('\r\n')
  expect(head).toMatch(/^number,at,actor,/)
  expect(row).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(rest).toEqual([])
  const lines = await ask('POST', '/api/audit/export', { token, organizationId })
  const actions = lines.text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Listed).action)
  expect(actions).toEqual(['audit.export', 'other.act', 'secret.reveal'])
  expect((await list('action=audit.export')).entries).toHaveLength(2)
})

test('verification finishes in the background, says where the chain breaks, and is itself an entry', async () => {
  const { owner, organizationId, write, list, link } = await givenTrail()
  const { token } = owner
  for (let n = 1; n <= 3; n += 1) await write({ action: `step.${n}` })
  await link()
  const state = async () => (await ask('GET', '/api/audit/verification', { token, organizationId })).body
  const verify = async () => {
    expect((await ask('POST', '/api/audit/verify', { token, organizationId })).status).toBe(202)
    await vi.waitFor(async () => expect((await state()).state).toMatch(/intact|broken/), 60_000)
    return state()
  }
  expect(await state()).toMatchObject({ state: 'never' })
  expect(await verify()).toMatchObject({ state: 'intact', checked: 3, fault: null })
  const client = await database.ownerPool.connect()
  await client.query(`begin; alter table audit_entries disable trigger user;
    update audit_entries set actor_display = 'eve' where organization_id = ${organizationId} and action = 'step.2';
    alter table audit_entries enable trigger user; commit`)
  client.release()
  const [second] = (await list('action=step.2')).entries
  expect(await verify()).toMatchObject({
    state: 'broken',
    fault: { position: 2, problem: expect.stringContaining('changed'), entryId: second?.id },
  })
  expect((await list('action=audit.verify')).entries).toMatchObject([
    { outcome: 'failure' },
    { outcome: 'success' },
  ])
})

test('filters offer the actors and actions that occur', async () => {
  const { owner, organizationId, write, link } = await givenTrail()
  await write({})
  await write({ actor: { type: 'system', name: 'Bey', email: null }, action: 'cluster.create' })
  await link()
  const { token } = owner
  expect((await ask('GET', '/api/audit/choices', { token, organizationId })).body).toEqual({
    actors: [
      { value: '7', label: 'Ada (ada@example.com)' },
      { value: 'name:Bey', label: 'Bey' },
    ],
    actions: [
      { value: 'cluster.create', label: 'created a cluster' },
      { value: 'secret.reveal', label: 'revealed a secret' },
    ],
  })
})
