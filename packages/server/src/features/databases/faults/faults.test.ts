import { expect, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const member = await app.given.user({ role: 'MEMBER', organizationId: admin.organizationId })
const { ask, until, embedded } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('practice')
const broken = (kind: string, seconds?: number) =>
  ask('POST', `/api/databases/${id}/break`, { kind, ...(seconds && { seconds }) })
const sessions = async () => (await ask('GET', `/api/databases/${id}/sessions`)).body.sessions

test('a database is broken on purpose by admins alone, visibly, and heals by itself', async () => {
  const asMember = { token: member.token, organizationId: admin.organizationId }
  const path = `/api/databases/${id}/break`
  const refused = await app.ask('POST', path, { ...asMember, body: { kind: 'kill' } })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  const empty = await broken('hold_lock', 5)
  expect([empty.status, empty.body.detail]).toEqual([409, expect.stringContaining('no table')])

  await query(endpoint, password, 'create table public."odd "" name" as select 1 as n')
  const locked = await broken('hold_lock', 5)
  expect(locked.status, locked.text).toBe(200)
  expect(locked.body.text).toBe('The table public.odd " name is locked for 5 s.')
  const waiting = query(endpoint, password, 'select n from public."odd "" name"')
  await expect
    .poll(
      async () =>
        (await sessions()).filter(({ client }: { client: string }) => client === 'bey-fault').length,
      {
        timeout: 60_000,
      },
    )
    .toBe(1)
  // The server ends the session; whoever waited goes on.
  expect(await waiting).toEqual([{ n: 1 }])

  const slow = await broken('slow_query', 600)
  expect(slow.body).toMatchObject({ text: expect.stringContaining('600 s'), endsAt: expect.any(String) })
  await expect
    .poll(
      async () =>
        (
          await query(
            endpoint,
            password,
            `select state from pg_stat_activity where application_name = 'bey-fault'`,
          )
        )[0],
      { timeout: 60_000 },
    )
    .toEqual({ state: 'active' })

  // The query that is busy does not notice that its server is gone: it would keep the next one from starting.
  expect((await broken('kill')).body).toMatchObject({ endsAt: null })
  const back = await until(id, {
    status: 'available',
    lastRestart: { reason: expect.stringContaining('SIGKILL') },
  })
  expect(back.health.state).toBe('healthy')
  expect(await query(endpoint, password, 'select n from public."odd "" name"')).toEqual([{ n: 1 }])

  const { body: trail } = await ask('GET', '/api/audit?action=database.break&limit=50')
  const outcomes = trail.entries
    .map(({ outcome }: { outcome: string }) => outcome)
    .filter((outcome: string) => outcome !== 'unknown')
  expect(outcomes.toSorted()).toEqual(['failure', 'success', 'success', 'success'])
})

test('a database that Bey does not run is never broken', async () => {
  const uri = `postgresql://${endpoint.username}:${password}@127.0.0.1:${endpoint.port}/${endpoint.database}?sslmode=disable`
  const made = await ask('POST', '/api/databases', {
    provider: 'external',
    name: 'theirs',
    connection: { uri },
  })
  await until(made.body.id, { status: 'available' })
  const reply = await ask('POST', `/api/databases/${made.body.id}/break`, { kind: 'kill' })
  expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining('not run by Bey')])
})
