import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { audit } from '../../../platform/audit/audit.ts'
import { linkAudit } from '../../../platform/audit/linker.ts'
import type { AuditRecord } from '../../../platform/audit/record.ts'
import { auditLinks } from '../../../tables/audit-chain.ts'
import { webhookDeliveries } from '../../../tables/webhook-deliveries.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { type Received, receiver } from '../testing/receiver.ts'

const app = await testApp()
const { ask, given, database } = app
const wide = { timeout: 60_000, interval: 20 }

type Message = { after: number; through: number; entries: AuditRecord[] }
const messages = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body).data as Message)
const numbers = (received: readonly Received[]) => [
  ...new Set(messages(received).flatMap(({ entries }) => entries.map(({ number }) => number))),
]

/** Writes so many entries and links them. */
async function write(organizationId: number, count: number, cls: 'create' | 'read' = 'create') {
  await database.withTenant(organizationId, async (db) => {
    for (let n = 1; n <= count; n += 1) {
      await audit(db, {
        organizationId,
        actor: { type: 'user', id: 7, name: 'Ada', email: 'ada@example.com' },
        via: 'console',
        action: `step.${n}`,
        class: cls,
        diff: { größe: n, nested: { b: [1, 2.5], a: null } },
      })
    }
  })
  await linkAudit(database)
}

async function stream(url: string, input: object = {}, given_?: GivenUser) {
  const user = given_ ?? (await given.user())
  const as = { token: user.token, organizationId: user.organizationId }
  const body = { name: `siem ${url.slice(-9)}`, url, events: ['audit.entries'], ...input }
  const made = await ask('POST', '/api/webhooks', { ...as, body })
  expect(made.status, made.text).toBe(201)
  const path = `/api/webhooks/${made.body.webhook.id}`
  const state = async () => (await ask('GET', path, as)).body
  return { as, path, state, organizationId: user.organizationId }
}

const endOf = async (organizationId: number): Promise<number> => {
  await linkAudit(database)
  const rows = await database.withTenant(organizationId, (db) =>
    db.select({ last: sql<string>`max(${auditLinks.position})` }).from(auditLinks),
  )
  return Number(rows[0]?.last)
}

test('a stream sends every entry from the first on, in order, with what proves each', async () => {
  const to = await receiver()
  const user = await given.user()
  await write(user.organizationId, 450)
  const { state } = await stream(to.url, { auditFrom: 'first' }, user)
  const end = await endOf(user.organizationId)
  await vi.waitFor(
    async () => expect((await state()).audit).toMatchObject({ behind: 0, sentThrough: end }),
    wide,
  )
  expect(numbers(to.received)).toEqual(Array.from({ length: end }, (_, index) => index + 1))
  expect(messages(to.received).every(({ entries }) => entries.length <= 200)).toBe(true)
  let previous = ''
  for (const { number, proof, ...entry } of messages(to.received).flatMap(({ entries }) => entries)) {
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(hashOf(proof.text)).toBe(proof.entryHash)
    const link = `["${previous}", ${user.organizationId}, ${number}, ${proof.sequence}, "${proof.entryHash}"]`
    expect(hashOf(link)).toBe(proof.hash)
    expect(JSON.parse(proof.text)).toContain(entry.id)
    previous = proof.hash
  }
})

test('a new stream begins with the next entry and sends only the classes that are wanted', async () => {
  const to = await receiver()
  const user = await given.user()
  await write(user.organizationId, 3)
  const { state, organizationId } = await stream(to.url, { auditClasses: ['read'] }, user)
  await write(organizationId, 2)
  await write(organizationId, 2, 'read')
  const end = await endOf(organizationId)
  await vi.waitFor(
    async () => expect((await state()).audit).toMatchObject({ behind: 0, sentThrough: end }),
    wide,
  )
  const sent = messages(to.received).flatMap(({ entries }) => entries)
  expect(sent.map(({ class: cls }) => cls)).toEqual(['read', 'read'])
  expect((await state()).audit.classes).toEqual(['read'])
})

test('a pause, a message that was given up and a receiver that answers 410 leave no entry out', async () => {
  let status = 204
  const to = await receiver(() => status)
  const { state, organizationId, path, as } = await stream(to.url)
  const first = (await endOf(organizationId)) + 1
  await write(organizationId, 2)
  await vi.waitFor(async () => expect((await state()).audit.behind).toBe(0), wide)
  await ask('PATCH', path, { ...as, body: { status: 'paused' } })
  await write(organizationId, 2)
  expect(await state()).toMatchObject({ status: 'paused', audit: { behind: expect.any(Number) } })
  status = 500
  await ask('PATCH', path, { ...as, body: { status: 'enabled' } })
  await vi.waitFor(async () => expect((await state()).status).toBe('failing'), wide)
  expect((await state()).lastDelivery).toMatchObject({ error: 'The receiver answered 500.' })
  // Given up after the last attempt, it is sent anew.
  await database.withTenant(organizationId, (db) =>
    db
      .update(webhookDeliveries)
      .set({ status: 'exhausted', finishedAt: sql`now()` })
      .where(eq(webhookDeliveries.status, 'retrying')),
  )
  status = 410
  await vi.waitFor(async () => expect((await state()).status).toBe('auto_disabled'), wide)
  await write(organizationId, 1)
  status = 200
  const taken = to.received.length
  await ask('PATCH', path, { ...as, body: { status: 'enabled' } })
  const end = await endOf(organizationId)
  await vi.waitFor(async () => expect((await state()).audit.sentThrough).toBeGreaterThanOrEqual(end), wide)
  const all = numbers(to.received).filter((number) => number >= first)
  expect(all).toEqual(Array.from({ length: all.length }, (_, index) => first + index))
  expect(all.at(-1)).toBeGreaterThanOrEqual(end)
  expect(to.received.length).toBeGreaterThan(taken)
})

test('a message that a process took with it is sent by another one under the same id', async () => {
  let isAnswering = false
  const to = await receiver(() => (isAnswering ? 204 : 500))
  const { state, organizationId } = await stream(to.url)
  await write(organizationId, 1)
  await to.until(1)
  isAnswering = true
  // As a kill leaves it: claimed, and the claim has run out.
  await vi.waitFor(
    () =>
      database.withTenant(organizationId, async (db) => {
        const { rowCount } = await db
          .update(webhookDeliveries)
          .set({ status: 'sending', nextAt: sql`now()` })
          .where(eq(webhookDeliveries.status, 'retrying'))
        expect(rowCount).toBe(1)
      }),
    wide,
  )
  await vi.waitFor(async () => expect((await state()).audit.behind).toBe(0), wide)
  const ids = to.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])
  expect(ids[0]).toBe(ids[1])
})

test('only who may read the audit log makes, changes and reads a stream of it', async () => {
  const to = await receiver()
  const { as, path, organizationId, state } = await stream(to.url)
  const keyWith = async (permissions: string[]) => {
    const body = { name: `key ${permissions.length}`, isPersonal: false, permissions }
    const made = await ask('POST', '/api/api-keys', { ...as, body })
    expect(made.status, made.text).toBe(201)
    return { token: made.body.token as string, organizationId }
  }
  const key = await keyWith(['webhooks.read', 'webhooks.manage'])
  const body = { name: 'thief', url: to.url, events: ['audit.entries'] }
  expect((await ask('POST', '/api/webhooks', { ...key, body })).body.code).toBe('forbidden')
  expect((await ask('PATCH', path, { ...key, body: { url: `${to.url}/else` } })).body.code).toBe('forbidden')
  const end = await endOf(organizationId)
  await vi.waitFor(async () => expect((await state()).audit.sentThrough).toBeGreaterThanOrEqual(end), wide)
  const [delivery] = (await ask('GET', `${path}/deliveries`, key)).body.deliveries
  expect((await ask('GET', `${path}/deliveries/${delivery.id}`, key)).body.code).toBe('forbidden')
  expect((await ask('GET', `${path}/deliveries/${delivery.id}`, as)).body.payload).toContain('"entries"')
})
