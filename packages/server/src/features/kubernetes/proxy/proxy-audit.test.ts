import { asc, eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { createAuditBatch } from '../../../platform/audit/batch.ts'
import { AppError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { proxyCaller } from '../testing/proxy-server.ts'
import type { Asked } from './admission.ts'
import { countingPeriodMs, createProxyAudit } from './proxy-audit.ts'
import { requestInfo } from './request-info.ts'

const database = await testDatabase()
const given = createGiven(database)
afterEach(() => database.ownerPool.query('grant insert on audit_entries to bey_app'))

const origin = { ip: '127.0.0.1', userAgent: 'kubectl/v1.33', requestId: 'r' }

async function givenAudit() {
  const clock = fakeClock()
  const user = await given.user()
  const { organizationId } = user
  const audit = createProxyAudit(createAuditBatch(database), clock, createLog({ level: 'silent' }))
  const asked = (method: string, path: string, extra: Partial<Asked> = {}): Asked => ({
    caller: proxyCaller('OWNER', { userId: user.id, organizationId, email: user.email }),
    cluster: {
      id: 7,
      organizationId,
      title: 'prod',
      status: 'RUNNING' as const,
      pendingOperations: 0,
      version: '',
    },
    info: requestInfo(method, path.slice(1).split('/'), new URLSearchParams()),
    query: new URLSearchParams(),
    token: '',
    isPage: false,
    identity: { user: user.email, groups: ['bey:admins'] },
    isImpersonated: false,
    ...extra,
  })
  const entries = () =>
    database.readTenant(organizationId, (db) =>
      db
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.organizationId, organizationId))
        .orderBy(asc(auditEntries.seq)),
    )
  return { clock, user, audit, asked, entries }
}

test('a write is an intent of unknown outcome until a second entry names how it ended', async () => {
  const { audit, asked, entries } = await givenAudit()
  const intent = await audit.begin(asked('DELETE', '/api/v1/namespaces/a/pods/x'), origin)
  expect(await entries()).toMatchObject([{ action: 'kubernetes.delete', outcome: 'unknown', intentId: null }])
  await intent.complete(404)
  const [first, second] = await entries()
  expect(second).toMatchObject({
    action: 'kubernetes.delete',
    outcome: 'failure',
    intentId: first?.id,
    diff: { verb: 'delete', code: 404, resource: 'pods', namespace: 'a', name: 'x' },
  })
})

test('a creation names what its body names, and how the cluster called what was to be named by it', async () => {
  const { audit, asked, entries } = await givenAudit()
  const pod = asked('POST', '/api/v1/namespaces/a/pods', { namedInBody: { kind: 'Pod', name: 'x' } })
  await (await audit.begin(pod, origin)).complete(201)
  const job = asked('POST', '/apis/batch/v1/namespaces/a/jobs', { namedInBody: { generateName: 'x-' } })
  await (await audit.begin(job, origin)).complete(201, 'x-4wq7z')
  expect((await entries()).map(({ outcome, diff }) => ({ outcome, diff }))).toMatchObject([
    { outcome: 'unknown', diff: { resource: 'pods', namespace: 'a', kind: 'Pod', name: 'x' } },
    { outcome: 'success', diff: { resource: 'pods', name: 'x' } },
    { outcome: 'unknown', diff: { resource: 'jobs', generateName: 'x-' } },
    { outcome: 'success', diff: { resource: 'jobs', generateName: 'x-', name: 'x-4wq7z' } },
  ])
})

test('without the right to write the trail nothing may be sent; a lost outcome leaves the intent as unknown', async () => {
  const { audit, asked, entries } = await givenAudit()
  const intent = await audit.begin(asked('DELETE', '/api/v1/namespaces/a/pods/x'), origin)
  await database.ownerPool.query('revoke insert on audit_entries from bey_app')
  for (const [method, path] of [
    ['POST', '/api/v1/namespaces/a/pods'],
    ['GET', '/api/v1/namespaces/a/secrets/s'],
    ['POST', '/api/v1/namespaces/a/pods/x/exec'],
  ] as const) {
    const refused = audit.begin(asked(method, path), origin)
    await expect(refused).rejects.toThrow(AppError)
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  }
  await intent.complete(200)
  expect(await entries()).toMatchObject([{ outcome: 'unknown' }])
})

test('reads are counted, one entry a user and cluster and minute, by resource', async () => {
  const { clock, user, audit, asked, entries } = await givenAudit()
  const read = async (resource: string) =>
    (await audit.begin(asked('GET', `/api/v1/${resource}`), origin)).complete(200)
  for (let index = 0; index < 30; index++) await read('pods')
  await read('nodes')
  expect(await entries()).toEqual([])
  expect(countingPeriodMs).toBeLessThanOrEqual(60_000)
  clock.advance(countingPeriodMs)
  await expect.poll(entries).toMatchObject([
    {
      action: 'kubernetes.read',
      actorId: String(user.id),
      targetName: 'prod',
      via: 'kubectl',
      diff: { requests: 31, byResource: { pods: 30, nodes: 1 } },
    },
  ])

  for (let index = 0; index < 300; index++) await read(`made-up-${index}`)
  await audit.stop()
  const [, second] = await entries()
  const { byResource } = (second?.diff ?? {}) as { byResource?: object }
  expect(Object.keys(byResource ?? {})).toHaveLength(101)
})

test('two thousand refused requests are one entry for each action and minute', async () => {
  const { clock, audit, asked, entries } = await givenAudit()
  for (let index = 0; index < 2000; index++) {
    audit.refused(asked('DELETE', `/api/v1/namespaces/a/pods/x-${index}`), origin)
    audit.refused(asked('POST', `/api/v1/namespaces/a/pods/x-${index}/exec`), origin)
  }
  expect(await entries()).toEqual([])
  clock.advance(countingPeriodMs)
  await expect.poll(async () => (await entries()).length).toBe(2)
  expect((await entries()).toSorted((a, b) => a.action.localeCompare(b.action))).toMatchObject([
    { action: 'kubernetes.delete', outcome: 'denied', diff: { requests: 2000, byResource: { pods: 2000 } } },
    { action: 'kubernetes.exec', outcome: 'denied', diff: { requests: 2000 } },
  ])
  clock.advance(countingPeriodMs)
  await audit.stop()
  expect(await entries()).toHaveLength(2)
})

test('a read in somebody else’s name has entries of its own, under both names', async () => {
  const { user, audit, asked, entries } = await givenAudit()
  const identity = { user: 'jane', groups: ['developers'] }
  const request = asked('GET', '/api/v1/pods', { identity, isImpersonated: true })
  await (await audit.begin(request, origin)).complete(200)
  expect(await entries()).toMatchObject([
    { class: 'access', outcome: 'unknown', actorEmail: user.email, diff: { impersonates: identity } },
    { class: 'access', outcome: 'success' },
  ])
})
