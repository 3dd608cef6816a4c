import { expect, test } from 'vitest'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { testApp } from '../../../testing/app.ts'

const { ask, given, database } = await testApp()
const ada = await given.user({ role: 'OWNER' })
const { organizationId } = ada
const grace = await given.user({ organizationId, role: 'OWNER', name: 'Grace' })
const viewer = await given.user({ organizationId, role: 'VIEWER' })
type User = typeof ada

const as = ({ token }: User) => ({ token, organizationId })
const visit = async (user: User) => (await ask('POST', '/api/analytics/visit', as(user))).body
const since = async (user: User) => (await ask('GET', '/api/analytics/since', as(user))).body.since
const hourMs = 3_600_000

/** As if a member had been here last so long ago. */
async function seenBefore(user: User, ms: number): Promise<Date> {
  await visit(user)
  const seenAt = new Date(Date.now() - ms)
  await database.ownerPool.query('update visits set seen_at = $1, left_at = null where user_id = $2', [
    seenAt,
    user.id,
  ])
  return seenAt
}

test('during the first visit there is nothing to tell, and a visit goes on while it is recorded', async () => {
  const newcomer = await given.user({ organizationId, role: 'MEMBER' })
  expect(await since(newcomer)).toBeNull()
  expect(await visit(newcomer)).toEqual({ leftAt: null })
  expect(await visit(newcomer)).toEqual({ leftAt: null })
  expect(await since(newcomer)).toBeNull()
})

test('a return is told from when the member was last seen, before and after it is recorded', async () => {
  const left = await seenBefore(ada, 3 * hourMs)
  expect((await since(ada)).from).toBe(left.toISOString())
  expect(await visit(ada)).toEqual({ leftAt: left.toISOString() })
  expect(await since(ada)).toMatchObject({ from: left.toISOString(), isCut: false })
})

test('what others did is told with who did it, and what oneself did is not', async () => {
  const left = await seenBefore(ada, hourMs)
  await ask('POST', '/api/webhooks', {
    ...as(grace),
    body: { name: 'of-grace', url: 'http://127.0.0.1:9/hook', events: ['run.failed'] },
  })
  await ask('POST', '/api/webhooks', {
    ...as(ada),
    body: { name: 'of-ada', url: 'http://127.0.0.1:9/hook', events: ['run.failed'] },
  })
  const told = await since(ada)
  expect(told.changes).toEqual({ total: 1 })
  expect(told.items).toEqual([
    expect.objectContaining({
      kind: 'change',
      name: 'Grace',
      by: `Grace (${grace.email})`,
      text: 'created a webhook of-grace',
    }),
  ])
  expect(told.marks).toEqual([{ at: expect.any(String), kind: 'change' }])
  expect(Date.parse(told.marks[0].at)).toBeGreaterThan(left.getTime())
  // Who may not read the audit trail is not told who did what in it.
  await seenBefore(viewer, hourMs)
  expect(await since(viewer)).toMatchObject({ changes: { total: 0 }, items: [] })
})

test('runs are counted, and those of a workflow that failed are one line', async () => {
  await seenBefore(viewer, hourMs)
  const workflow = await given.workflow({ organizationId, name: 'nightly' })
  for (const status of ['failed', 'failed', 'completed'] as const) {
    await given.run({ organizationId, workflowId: workflow.id, status })
  }
  await given.run({ status: 'failed' })
  const told = await since(viewer)
  expect(told.runs).toEqual({ total: 3, failed: 2 })
  expect(told.items).toEqual([
    expect.objectContaining({ kind: 'run', name: 'nightly', text: 'failed 2 times' }),
  ])
  expect(told.marks.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
    'failure',
    'failure',
    'run',
  ])
})

test('changes of objects are one line an object, and those of another organization are not told', async () => {
  const cluster = await given.cluster({ organizationId, title: 'staging', status: 'RUNNING' })
  const foreign = await given.cluster({ title: 'foreign', status: 'RUNNING' })
  await seenBefore(viewer, hourMs)
  const insert = (of: typeof cluster, name: string, change: string, agoMs: number) =>
    database.ownerPool.query(
      `insert into object_versions
         (id, organization_id, cluster_id, resource, kind, namespace, name, uid, at, change, hash, bytes)
       values ($1, $2, $3, 'deployments.apps', 'Deployment', 'shop', $4, 'u', $5, $6, 'h', 1)`,
      [uuidv7(), of.organizationId, of.id, name, new Date(Date.now() - agoMs), change],
    )
  await insert(cluster, 'web', 'updated', 60_000)
  await insert(cluster, 'web', 'updated', 120_000)
  await insert(cluster, 'old', 'updated', 2 * hourMs)
  await insert(cluster, 'seen', 'found', 60_000)
  await insert(foreign, 'theirs', 'updated', 60_000)
  const told = await since(viewer)
  expect(told.changes).toEqual({ total: 2 })
  const changes = told.items.filter(({ kind }: { kind: string }) => kind === 'change')
  expect(changes).toEqual([
    expect.objectContaining({ name: 'web', text: 'Deployment updated 2 times', where: 'staging' }),
  ])
})

test('an API key is nobody who visits', async () => {
  const { body: key } = await ask('POST', '/api/api-keys', {
    ...as(ada),
    body: { name: 'script', isPersonal: true, permissions: ['analytics.read'] },
  })
  expect((await ask('GET', '/api/analytics/since', { token: key.token })).status).toBe(200)
  expect((await ask('POST', '/api/analytics/visit', { token: key.token })).status).toBe(403)
})

test('nothing older than 14 days is told, and it says so', async () => {
  await seenBefore(viewer, 40 * 24 * hourMs)
  const told = await since(viewer)
  expect(told.isCut).toBe(true)
  expect(Date.parse(told.to) - Date.parse(told.from)).toBe(14 * 24 * hourMs)
})
