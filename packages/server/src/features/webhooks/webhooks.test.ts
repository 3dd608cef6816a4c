import { webhookEvents, webhookScheduleMs } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { publish } from '../../platform/live/publish.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { notifications } from '../../tables/notifications.ts'
import { webhookDeliveries } from '../../tables/webhook-deliveries.ts'
import { webhooks } from '../../tables/webhooks.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { type Received, receiver } from './testing/receiver.ts'
import { soonMs } from '../../testing/soon.ts'

const app = await testApp()
const { ask, given } = app

type Shown = {
  id: string
  eventId: string
  status: string
  lastError: string
  createdAt: string
  nextAttemptAt: string
}

let names = 0
async function setUp(url: string, input: object = {}, owner?: GivenUser) {
  const user = owner ?? (await given.user())
  const { token, organizationId } = user
  const as = { token, organizationId }
  const reply = await ask('POST', '/api/webhooks', {
    ...as,
    body: { name: `hook-${(names += 1)}`, url, events: ['secret.updated', 'run.updated'], ...input },
  })
  expect(reply.status, reply.text).toBe(201)
  const { webhook, secret } = reply.body as { webhook: { id: string }; secret: string }
  const path = `/api/webhooks/${webhook.id}`
  const store = (name = `s-${(names += 1)}`) =>
    ask('POST', '/api/secrets', { ...as, body: { name, value: 'canary-value' } })
  const deliveries = async (query = '') =>
    (await ask('GET', `${path}/deliveries?${query}`, as)).body.deliveries
  const settled = (count: number) =>
    vi.waitUntil(
      async () => {
        const all = (await deliveries()) as Shown[]
        return (
          all.length === count && all.every(({ status }) => !['pending', 'sending'].includes(status)) && all
        )
      },
      { timeout: 60_000, interval: 20 },
    )
  return { user, as, id: webhook.id, secret, path, store, deliveries, settled }
}

const inTenant = <T>(organizationId: number, work: Parameters<typeof app.database.withTenant<T>>[1]) =>
  app.database.withTenant(organizationId, work)
/** Makes every waiting delivery of a webhook due. */
const due = (organizationId: number, webhookId: string) =>
  inTenant(organizationId, (db) =>
    db
      .update(webhookDeliveries)
      .set({ nextAt: sql`now()` })
      .where(eq(webhookDeliveries.webhookId, webhookId)),
  )
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    data: Record<string, unknown>
  }

describe('a message', () => {
  test('arrives at once, verifies by Standard Webhooks, and holds no value', async () => {
    const to = await receiver()
    const { secret, store, settled } = await setUp(to.url)
    const startedAtMs = performance.now()
    const stored = await store()
    const [first] = await to.until(1)
    if (!first) throw new Error('Nothing came')
    expect(first.at - startedAtMs).toBeLessThan(soonMs)
    expect(verify(secret, first)).toMatchObject({
      type: 'secret.updated',
      data: { secretId: stored.body.id },
    })
    expect(first.body).not.toContain('canary-value')
    expect(() => verify(secret, { ...first, body: first.body.replace('secret', 'secreT') })).toThrow()
    const [delivery] = await settled(1)
    expect(delivery).toMatchObject({ status: 'delivered', eventId: first.headers['webhook-id'] })
  })

  test('is enqueued with its event: a transaction that is rolled back sends nothing', async () => {
    const to = await receiver()
    const { user, store, settled } = await setUp(to.url)
    const { organizationId } = user
    const event = { organizationId, type: 'SECRETS_UPDATE', data: { secretId: 'never' } } as const
    await expect(
      inTenant(organizationId, async (db) => {
        await publish(db, event)
        throw new Error('roll back')
      }),
    ).rejects.toThrow('roll back')
    await store()
    await settled(1)
    expect(to.received.map(({ body }) => body).join('')).not.toContain('never')
  })

  test('goes to the webhooks of its own organization that want its type', async () => {
    const [mine, other, foreign] = await Promise.all([receiver(), receiver(), receiver()])
    const { user, store } = await setUp(mine.url)
    await setUp(other.url, { events: ['run.updated'] }, user)
    await setUp(foreign.url)
    await store()
    await mine.until(1)
    const { rows } = await app.database.ownerPool.query(
      'select count(*)::int as count from webhook_deliveries where organization_id = $1',
      [user.organizationId],
    )
    expect(rows[0].count).toBe(1)
    expect([other.received.length, foreign.received.length]).toEqual([0, 0])
  })

  test('is signed with both secrets while the secret is rotated, and then with the new one', async () => {
    const to = await receiver()
    const { secret, path, as, store } = await setUp(to.url)
    const rotated = await ask('POST', `${path}/rotate`, { ...as, body: { overlapHours: 1 } })
    const next = rotated.body.secret as string
    expect(rotated.body.webhook.previousSecretUntil).toBeTruthy()
    await store()
    const [first] = await to.until(1)
    if (!first) throw new Error('Nothing came')
    for (const each of [secret, next]) expect(verify(each, first).type).toBe('secret.updated')
    const last = (await ask('POST', `${path}/rotate`, { ...as, body: { overlapHours: 0 } })).body
      .secret as string
    await store()
    const [, second] = await to.until(2)
    if (!second) throw new Error('Nothing came')
    expect(verify(last, second).type).toBe('secret.updated')
    for (const each of [secret, next]) expect(() => verify(each, second)).toThrow()
  })

  test('carries own headers, which are sealed, not answered, and masked in the log', async () => {
    const to = await receiver()
    const { path, as, id, store, settled } = await setUp(to.url, {
      headers: { Authorization: 'Bearer canary-header' },
    })
    await store()
    const [first] = await to.until(1)
    expect(first?.headers.authorization).toBe('Bearer canary-header')
    const [delivery] = await settled(1)
    const shown = await ask('GET', `${path}/deliveries/${delivery?.id}`, as)
    expect(shown.text + (await ask('GET', path, as)).text).not.toContain('canary-header')
    expect(shown.body.log[0]).toMatchObject({
      statusCode: 204,
      requestHeaders: { Authorization: '••••••', 'webhook-id': first?.headers['webhook-id'] },
      responseHeaders: { 'x-receiver': 'yes' },
    })
    const { rows } = await app.database.ownerPool.query(
      'select to_jsonb(w)::text as text from webhooks w where id = $1',
      [id],
    )
    expect(rows[0].text).not.toContain(Buffer.from('canary-header').toString('hex'))
    const refused = await ask('PATCH', path, { ...as, body: { headers: { 'Webhook-Signature': 'forged' } } })
    expect(refused.body.code).toBe('invalid_request')
  })
})

describe('a failure', () => {
  test('is tried again after about 5 seconds under the same id, and success ends the trouble', async () => {
    const to = await receiver((_received, index) => (index === 0 ? 500 : 200))
    const { user, id, path, as, store, settled } = await setUp(to.url)
    await store()
    const [failed] = await settled(1)
    expect(failed).toMatchObject({ status: 'retrying', lastError: 'The receiver answered 500.' })
    // It was made before the attempt failed, and is read after that.
    const nextAtMs = Date.parse(failed?.nextAttemptAt ?? '')
    expect(nextAtMs - Date.parse(failed?.createdAt ?? '')).toBeGreaterThan(4_000)
    expect(nextAtMs - Date.now()).toBeLessThan(5_600)
    expect((await ask('GET', path, as)).body).toMatchObject({ status: 'failing', waiting: 1 })
    await due(user.organizationId, id)
    const [first, second] = await to.until(2)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const [delivered] = await settled(1)
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 2 })
    await vi.waitFor(
      async () =>
        expect((await ask('GET', path, as)).body).toMatchObject({ status: 'enabled', failingSince: null }),
      60_000,
    )
  })

  test('of the last attempt gives the delivery up, and replaying begins anew under the same id', async () => {
    let status = 503
    const to = await receiver(() => status)
    const { user, id, path, as, store, settled } = await setUp(to.url)
    await store()
    await settled(1)
    await inTenant(user.organizationId, (db) =>
      db
        .update(webhookDeliveries)
        .set({ nextAt: sql`now()`, attempts: webhookScheduleMs.length - 1 })
        .where(eq(webhookDeliveries.webhookId, id)),
    )
    await to.until(2)
    const [given] = (await vi.waitUntil(
      async () => {
        const all = await settled(1)
        return all[0]?.status === 'exhausted' && all
      },
      { timeout: 60_000 },
    )) as { id: string; eventId: string }[]
    status = 200
    const replayed = await ask('POST', `${path}/replay`, { ...as, body: { deliveryId: given?.id } })
    expect(replayed.body).toEqual({ replayed: 1, hasMore: false })
    const [, , third] = await to.until(3)
    expect(third?.headers['webhook-id']).toBe(given?.eventId)
    expect((await settled(1))[0]).toMatchObject({ status: 'delivered', attempts: 3 })
    const hour = 3_600_000
    const range = {
      from: new Date(Date.now() - hour).toISOString(),
      to: new Date(Date.now() + hour).toISOString(),
    }
    expect((await ask('POST', `${path}/replay`, { ...as, body: range })).body.replayed).toBe(0)
    const all = await ask('POST', `${path}/replay`, { ...as, body: { ...range, statuses: ['delivered'] } })
    expect(all.body.replayed).toBe(1)
    await to.until(4)
  })

  test('of 410 disables the webhook at once, cancels what waits, and tells who manages it', async () => {
    const to = await receiver(() => 410)
    const { user, path, as, store, settled } = await setUp(to.url)
    const admin = await given.user({ organizationId: user.organizationId, role: 'ADMIN' })
    await given.user({ organizationId: user.organizationId, role: 'MEMBER' })
    await store()
    await settled(1)
    const shown = await vi.waitUntil(async () => {
      const { body } = await ask('GET', path, as)
      return body.status === 'auto_disabled' && body
    }, 60_000)
    expect(shown.disabledReason).toBe('Its receiver answered 410 Gone.')
    await store()
    expect((await settled(1)).length).toBe(1)
    const notes = await app.database.asSystem('test', (db) =>
      db
        .select({ userId: notifications.userId, kind: notifications.kind })
        .from(notifications)
        .where(eq(notifications.organizationId, user.organizationId)),
    )
    expect(notes.map(({ userId }) => userId).toSorted((one, other) => one - other)).toEqual(
      [user.id, admin.id].toSorted((one, other) => one - other),
    )
    const [entry] = await inTenant(user.organizationId, (db) =>
      db.select().from(auditEntries).where(eq(auditEntries.action, 'webhook.auto_disable')),
    )
    expect(entry).toMatchObject({ actorType: 'system', targetType: 'webhook' })
    const test = await ask('POST', `${path}/test`, { ...as, body: { type: 'run.updated' } })
    expect([test.status, test.body.code]).toEqual([409, 'conflict'])
    expect((await ask('PATCH', path, { ...as, body: { status: 'enabled' } })).body.status).toBe('enabled')
  })

  test('of five days disables it, too', async () => {
    const to = await receiver(() => 500)
    const { user, id, path, as, store, settled } = await setUp(to.url)
    await inTenant(user.organizationId, (db) =>
      db
        .update(webhooks)
        .set({ failingSince: sql`now() - interval '5 days'` })
        .where(eq(webhooks.id, id)),
    )
    await store()
    await settled(1)
    expect((await ask('GET', path, as)).body).toMatchObject({ status: 'auto_disabled' })
  })
})

describe('an address', () => {
  test.each([
    'http://169.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'ftp://example.com/',
    'https://user:pw@example.com/',
    'nonsense',
  ])('%s is refused in the form', async (url) => {
    const { token, organizationId } = await given.user()
    const reply = await ask('POST', '/api/webhooks', {
      token,
      organizationId,
      body: { name: 'x', url, events: ['run.updated'] },
    })
    expect(reply.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'url' }] })
  })

  test('that is changed in the database past the form is refused when it is connected to', async () => {
    const { user, id, store, settled } = await setUp('https://example.com/')
    await inTenant(user.organizationId, (db) =>
      db.update(webhooks).set({ url: 'http://169.254.169.254/latest' }).where(eq(webhooks.id, id)),
    )
    await store()
    const [failed] = await settled(1)
    expect(failed?.lastError).toContain('link-local')
  })
})

test('messages about one thing keep their order where it is asked for, others do not wait', async () => {
  let isDown = true
  const to = await receiver(({ body }) => (isDown && body.includes('first-thing') ? 500 : 200))
  const { user, id, settled, deliveries } = await setUp(to.url, { isOrdered: true })
  const { organizationId } = user
  for (const [secretId, number] of [
    ['first-thing', 1],
    ['first-thing', 2],
    ['second-thing', 3],
  ] as const) {
    await inTenant(organizationId, (db) =>
      publish(db, {
        organizationId,
        type: 'SECRETS_UPDATE',
        data: { secretId, number } as { secretId: string },
      }),
    )
  }
  await to.until(2)
  await vi.waitFor(
    () => expect(to.received.map(({ body }) => JSON.parse(body).data.number)).toEqual([1, 3]),
    60_000,
  )
  // Recorded, and not only received.
  await vi.waitFor(
    async () =>
      expect(((await deliveries()) as Shown[]).map(({ status }) => status)).toEqual([
        'delivered',
        'pending',
        'retrying',
      ]),
    60_000,
  )
  isDown = false
  await due(organizationId, id)
  await to.until(4)
  await settled(3)
  expect(to.received.map(({ body }) => JSON.parse(body).data.number)).toEqual([1, 3, 1, 2])
})

test('a paused webhook gets nothing, keeps what waits, and goes on where it stopped', async () => {
  const to = await receiver((_received, index) => (index === 0 ? 500 : 200))
  const { user, id, path, as, store, deliveries } = await setUp(to.url)
  await store()
  await to.until(1)
  await vi.waitFor(
    async () => expect(((await deliveries()) as { status: string }[])[0]?.status).toBe('retrying'),
    60_000,
  )
  await ask('PATCH', path, { ...as, body: { status: 'paused' } })
  await due(user.organizationId, id)
  await store()
  expect((await deliveries()).length).toBe(1)
  expect(to.received.length).toBe(1)
  await ask('PATCH', path, { ...as, body: { status: 'enabled' } })
  await to.until(2)
})

test('every event of the catalogue has a sample that a test sends', async () => {
  const to = await receiver()
  const { path, as, secret } = await setUp(to.url)
  for (const { name } of webhookEvents) {
    expect((await ask('POST', `${path}/test`, { ...as, body: { type: name } })).status).toBe(202)
  }
  const received = await to.until(webhookEvents.length)
  expect(received.map((each) => verify(secret, each).type).toSorted()).toEqual(
    webhookEvents.map(({ name }) => name).toSorted(),
  )
})

test('200 messages at once arrive once each', async () => {
  const to = await receiver()
  const { user } = await setUp(to.url)
  const { organizationId } = user
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      inTenant(organizationId, (db) =>
        publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId: `many-${index}` } }),
      ),
    ),
  )
  const received = await to.until(200)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(200)
  await vi.waitFor(async () => {
    const { rows } = await app.database.ownerPool.query(
      `select count(*)::int as count from webhook_deliveries where organization_id = $1 and status = 'delivered'`,
      [organizationId],
    )
    expect(rows[0].count).toBe(200)
  }, 60_000)
})
