import { expiryNoticeDays } from '@bey/contract'
import { expect, test } from 'vitest'
import { publishAll } from '../../platform/live/publish.ts'
import { testApp } from '../../testing/app.ts'
import { fakeClock } from '../../testing/clock.ts'
import type { GivenUser } from '../../testing/given.ts'
import { createNotify } from '../notifications/rules/notify.ts'
import { secretNotices } from '../notifications/secret-notices.ts'
import { createExpiryNotices } from './expiry.ts'
import { createPurge } from './purge.ts'

const app = await testApp()
const { given, ask, database } = app
const dayMs = 86_400_000

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })

async function stored(user: GivenUser, values: object = {}): Promise<string> {
  const body = { name: `s-${Math.random()}`, value: 'kept', ...values }
  const reply = await ask('POST', '/api/secrets', { ...as(user), body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}

const titles = async (user: GivenUser) =>
  (await ask('GET', '/api/notifications', as(user))).body.notifications.map(
    (each: { title: string }) => each.title,
  )

test('what was deleted seven days ago is destroyed, its name is free, and the trail says by whom', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { name: 'gone', type: 'registry', value: registryLogin })
  const kept = await stored(user, { name: 'kept' })
  for (const each of [id, kept]) await ask('DELETE', `/api/secrets/${each}`, as(user))
  const purge = createPurge({ database })
  await purge(new Date(Date.now() + 7 * dayMs - 60_000))
  expect((await ask('GET', `/api/secrets/${id}`, as(user))).body.status).toBe('pending_deletion')
  await ask('POST', `/api/secrets/${kept}/restore`, as(user))
  const later = new Date(Date.now() + 7 * dayMs + 1_000)
  await Promise.all([purge(later), purge(later)])
  expect((await ask('GET', `/api/secrets/${id}`, as(user))).status).toBe(404)
  expect((await ask('POST', `/api/secrets/${id}/restore`, as(user))).status).toBe(404)
  expect((await ask('GET', `/api/secrets/${kept}`, as(user))).body.status).toBe('active')
  await stored(user, { name: 'gone' })
  const { rows } = await database.ownerPool.query(
    `select s.status, s.value_hash, s.facts->'fields' as fields, v.status as version, v.sealed,
       (select count(*)::int from secret_grants where secret_id = s.id) as grants
     from secrets s join secret_versions v on v.secret_id = s.id where s.id = $1`,
    [id],
  )
  expect(rows).toEqual([
    { status: 'deleted', value_hash: '', fields: {}, version: 'destroyed', sealed: null, grants: 0 },
  ])
  const trail = await database.ownerPool.query(
    `select actor_type, via, count(*)::int from audit_entries
     where target_id = $1 and action = 'secret.purge' group by 1, 2`,
    [id],
  )
  expect(trail.rows).toEqual([{ actor_type: 'system', via: 'system', count: 1 }])
})

const registryLogin = { server: 'registry.example.com', username: 'shop', password: 'canary' }

test('those who manage a secret are notified 30, 7 and 1 days ahead of its expiry and after it, once each', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const other = await given.user({ organizationId, role: 'MEMBER' })
  const expiresAt = new Date(Date.now() + 40 * dayMs)
  const id = await stored(member, { name: 'token', expiresAt: expiresAt.toISOString() })
  const clock = fakeClock(new Date())
  const tell = createExpiryNotices(
    { database, clock },
    secretNotices(createNotify({ publish: publishAll, clock })),
  )
  await tell()
  expect(await titles(owner)).toEqual([])
  for (const days of expiryNoticeDays) {
    clock.step(expiresAt.getTime() - days * dayMs - clock.now().getTime())
    await Promise.all([tell(), tell()])
    await tell()
  }
  const expected = [
    'Secret token has expired',
    'Secret token expires in 1 day',
    'Secret token expires in 7 days',
    'Secret token expires in 30 days',
  ]
  expect(await titles(owner)).toEqual(expected)
  expect(await titles(member)).toEqual(expected)
  expect(await titles(other)).toEqual([])
  const { body } = await ask('GET', '/api/notifications', as(owner))
  expect(body.notifications[0]).toMatchObject({ kind: 'secret', level: 'error', href: `/secrets/${id}` })
  const next = new Date(clock.now().getTime() + 20 * dayMs).toISOString()
  await ask('PUT', `/api/secrets/${id}`, { ...as(owner), body: { expiresAt: next } })
  await tell()
  expect((await titles(owner))[0]).toBe('Secret token expires in 20 days')
})
