import { sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { publish } from '../../platform/live/publish.ts'
import { publishHealthMove } from '../../publish-events.ts'
import { webhookDeliveries } from '../../tables/webhook-deliveries.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { createExpiryNotices } from '../secrets/expiry.ts'
import { receiver } from './testing/receiver.ts'

const publicUrl = 'https://bey.example'
const { ask, given, database } = await testApp({ publicUrl })
const wide = { timeout: 60_000, interval: 20 }

const sorted = (texts: string[]) => texts.toSorted((one, other) => one.localeCompare(other))
const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })

let names = 0
/** A webhook of an owner for these events, and what its receiver got. */
async function hooked(events: readonly string[], input: object = {}, status: () => number = () => 204) {
  const to = await receiver(status)
  const owner = await given.user()
  const reply = await ask('POST', '/api/webhooks', {
    ...as(owner),
    body: { name: `hook-${(names += 1)}`, url: to.url, events, ...input },
  })
  expect(reply.status, reply.text).toBe(201)
  const messages = async (count: number) => (await to.until(count)).map(({ body }) => JSON.parse(body))
  return { owner, to, messages, path: `/api/webhooks/${reply.body.webhook.id}` as const }
}

/** A run that is over, of an owner's workflow on one of their clusters, and a function that says that it moved. */
async function runOf({ organizationId }: GivenUser, name = 'Nightly backup') {
  const cluster = await given.cluster({ organizationId, title: `cluster of ${name}` })
  const workflow = await given.workflow({ organizationId, name })
  const run = await given.run({ organizationId, workflowId: workflow.id, status: 'completed' })
  const moved = (status: 'running' | 'completed' | 'failed' | 'timed_out' | 'cancelled') =>
    database.withTenant(organizationId, (db) =>
      publish(db, {
        organizationId,
        type: 'WORKFLOW_RUN_UPDATE',
        data: {
          workflowId: workflow.id,
          runId: run.id,
          status,
          subject: { type: 'cluster', id: String(cluster.id) },
          progress: 50,
        },
      }),
    )
  return { cluster, workflow, run, moved }
}

describe('events', () => {
  test('of a run that completes, fails or times out name it, its workflow and its cluster, with their pages', async () => {
    const { owner, messages } = await hooked(['run.failed', 'run.completed'])
    const { cluster, workflow, run, moved } = await runOf(owner)
    await moved('running')
    await moved('completed')
    await moved('cancelled')
    await moved('failed')
    await moved('timed_out')
    const received = await messages(3)
    expect(sorted(received.map(({ type, data }) => `${type} ${data.status}`))).toEqual([
      'run.completed completed',
      'run.failed failed',
      'run.failed timed_out',
    ])
    for (const { things, test: isTest } of received) {
      expect(isTest).toBeUndefined()
      expect(things).toEqual({
        run: {
          id: run.id,
          name: 'Nightly backup',
          url: `${publicUrl}/workflows/${workflow.id}/runs/${run.id}`,
        },
        workflow: {
          id: workflow.id,
          name: 'Nightly backup',
          url: `${publicUrl}/workflows/${workflow.id}`,
        },
        cluster: {
          id: String(cluster.id),
          name: 'cluster of Nightly backup',
          url: `${publicUrl}/kubernetes/clusters/${cluster.id}`,
        },
      })
    }
  })

  test('of a cluster that fails and recovers name it and the object at fault, without credentials', async () => {
    const { owner, messages } = await hooked(['health.failing', 'health.recovered'])
    const { organizationId } = owner
    const { id, title } = await given.cluster({ organizationId })
    const cluster = { id, organizationId, title }
    const object = { kind: 'Deployment', namespace: 'shop', name: 'checkout' }
    await database.withTenant(organizationId, async (db) => {
      await publishHealthMove(db, {
        cluster,
        to: 'trouble',
        health: {
          state: 'failing',
          reason: 'CrashLoopBackOff',
          detail: 'It ends at once: postgres://shop:hunter2@db/shop',
          since: '2026-11-22T10:00:00.000Z',
          object,
        },
      })
      await publishHealthMove(db, {
        cluster,
        to: 'recovery',
        health: { state: 'healthy', reason: null, detail: null, since: null, object: null },
      })
    })
    const received = await messages(2)
    const failing = received.find(({ type }) => type === 'health.failing')
    expect(failing).toMatchObject({
      data: { clusterId: id, health: 'failing', reason: 'CrashLoopBackOff', object },
      things: { cluster: { id, name: title, url: `${publicUrl}/kubernetes/clusters/${id}` } },
    })
    expect(JSON.stringify(failing)).not.toContain('hunter2')
    expect(received.find(({ type }) => type === 'health.recovered')).toMatchObject({
      data: { health: 'healthy', object: null },
    })
  })

  test('of a secret that expires say when, once', async () => {
    const { owner, messages, to } = await hooked(['secret.expiring'])
    const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const made = await ask('POST', '/api/secrets', {
      ...as(owner),
      body: { name: 'api-token', value: 'canary-value', expiresAt },
    })
    expect(made.status, made.text).toBe(201)
    const tell = createExpiryNotices({ database, clock: realClock }, async () => undefined)
    await tell()
    await tell()
    const [message] = await messages(1)
    expect(message).toMatchObject({
      type: 'secret.expiring',
      data: { secretId: made.body.id, expiresAt, hasExpired: false },
      things: { secret: { name: 'api-token', url: `${publicUrl}/secrets/${made.body.id}` } },
    })
    expect(to.received).toHaveLength(1)
  })

  test('of somebody who joins name the person and their role', async () => {
    const { owner, messages } = await hooked(['member.joined'])
    const guest = await given.user({ name: 'Grace' })
    const invited = await ask('POST', '/api/invitations', {
      ...as(owner),
      body: { emails: [guest.email], role: 'MEMBER', isMailed: false },
    })
    const token = invited.body.results[0].link.split('/invite#')[1]
    const accepted = await ask('POST', '/api/invitations/accept', { token: guest.token, body: { token } })
    expect(accepted.status, accepted.text).toBe(200)
    expect((await messages(1))[0]).toMatchObject({
      type: 'member.joined',
      data: { userId: guest.id, name: 'Grace', email: guest.email, role: 'MEMBER' },
      things: { member: { id: guest.id, name: 'Grace', url: `${publicUrl}/workspaces/members` } },
    })
  })

  test('of what is gone name it no more, and link to its page all the same', async () => {
    const { owner, messages } = await hooked(['secret.updated'])
    const { organizationId } = owner
    const secretId = '019a0000-0000-7000-8000-00000000ffff'
    await database.withTenant(organizationId, (db) =>
      publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId } }),
    )
    expect((await messages(1))[0].things).toEqual({
      secret: { id: secretId, name: null, url: `${publicUrl}/secrets/${secretId}` },
    })
  })
})

describe('a filter', () => {
  test('by status sends messages of these statuses, and those that carry none', async () => {
    const { owner, messages, to } = await hooked(['run.updated', 'secret.updated'], {
      filters: { statuses: ['failed'] },
    })
    const { moved } = await runOf(owner)
    await moved('running')
    await moved('completed')
    await moved('failed')
    await ask('POST', '/api/secrets', { ...as(owner), body: { name: 'any', value: 'canary-value' } })
    const received = await messages(2)
    expect(sorted(received.map(({ type, data }) => `${type} ${data.status}`))).toEqual([
      'run.updated failed',
      'secret.updated undefined',
    ])
    expect(to.received).toHaveLength(2)
  })

  test('by workflow and cluster sends what is about either of them, and nothing else', async () => {
    const { owner, path, messages } = await hooked(['run.updated', 'secret.updated'])
    const [mine, onMine, other] = [await runOf(owner, 'a'), await runOf(owner, 'b'), await runOf(owner, 'c')]
    const filters = { statuses: [], workflowIds: [mine.workflow.id], clusterIds: [onMine.cluster.id] }
    const changed = await ask('PATCH', path, { ...as(owner), body: { filters } })
    expect(changed.body.filters, changed.text).toEqual(filters)
    await ask('POST', '/api/secrets', { ...as(owner), body: { name: 'any', value: 'canary-value' } })
    for (const { moved } of [other, mine, onMine]) await moved('completed')
    expect(sorted((await messages(2)).map(({ things }) => things.workflow.name))).toEqual(['a', 'b'])
    const { rows } = await database.ownerPool.query(
      'select count(*)::int as count from webhook_deliveries where organization_id = $1',
      [owner.organizationId],
    )
    expect(rows).toEqual([{ count: 2 }])
    const { body } = await ask('GET', '/api/audit?action=webhook.update', as(owner))
    const entry = await ask('GET', `/api/audit/${body.entries[0].id}`, as(owner))
    expect(entry.body.diff).toMatchObject({ workflowIds: [[], [mine.workflow.id]] })
  })

  test('by a status that no event carries is refused', async () => {
    const owner = await given.user()
    const reply = await ask('POST', '/api/webhooks', {
      ...as(owner),
      body: {
        name: 'x',
        url: 'https://example.com/',
        events: ['run.updated'],
        filters: { statuses: ['broken'] },
      },
    })
    expect(reply.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'filters.statuses.0', message: 'No event carries this status.' }],
    })
  })
})

describe('a test', () => {
  test('says that it is one, and names and links examples', async () => {
    const { owner, path, messages } = await hooked(['run.failed'])
    await ask('POST', `${path}/test`, { ...as(owner), body: { type: 'run.failed' } })
    const [message] = await messages(1)
    expect(message).toMatchObject({
      type: 'run.failed',
      test: true,
      data: { status: 'failed' },
      things: { workflow: { name: 'Example workflow' }, cluster: { name: 'Example cluster' } },
    })
    expect(message.things.run.url).toMatch(/^https:\/\/bey\.example\/workflows\/.+\/runs\//)
    const { body } = await ask('GET', `${path}/deliveries`, as(owner))
    const shown = await ask('GET', `${path}/deliveries/${body.deliveries[0].id}`, as(owner))
    expect(JSON.parse(shown.body.payload)).toEqual(message)
  })

  test.each([500, 410])(
    'that is answered %i is not tried again, and leaves the webhook as it is',
    async (status) => {
      const { owner, path, messages } = await hooked(['secret.updated'], {}, () => status)
      const before = (await ask('GET', path, as(owner))).body
      await ask('POST', `${path}/test`, { ...as(owner), body: { type: 'secret.updated' } })
      await messages(1)
      await vi.waitFor(async () => {
        const { body } = await ask('GET', `${path}/deliveries`, as(owner))
        expect(body.deliveries).toMatchObject([{ status: 'exhausted', attempts: 1, isTest: true }])
      }, wide)
      expect((await ask('GET', path, as(owner))).body).toEqual(before)
    },
  )

  test('that is taken does not end the trouble of real messages', async () => {
    let status = 500
    const { owner, path, messages } = await hooked(['secret.updated'], {}, () => status)
    await ask('POST', '/api/secrets', { ...as(owner), body: { name: 'any', value: 'canary-value' } })
    const failing = await vi.waitUntil(async () => {
      const { body } = await ask('GET', path, as(owner))
      return body.status === 'failing' && body
    }, wide)
    status = 204
    // The message that failed is not due meanwhile.
    await database.withTenant(owner.organizationId, (db) =>
      db.update(webhookDeliveries).set({ nextAt: sql`now() + interval '1 hour'` }),
    )
    await ask('POST', `${path}/test`, { ...as(owner), body: { type: 'secret.updated' } })
    await messages(2)
    await vi.waitFor(async () => {
      const { body } = await ask('GET', `${path}/deliveries?status=delivered`, as(owner))
      expect(body.total).toBe(1)
    }, wide)
    expect((await ask('GET', path, as(owner))).body).toEqual(failing)
  })
})
