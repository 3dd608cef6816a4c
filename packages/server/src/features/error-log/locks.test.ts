import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { lockWait } from '../../testing/lock-wait.ts'
import { fingerprintOf } from './fingerprint.ts'

const { ask, given, database } = await testApp()
const timestamp = '2026-11-21T12:00:00.000Z'

/** Messages of different errors in the order in which their groups are locked. */
const messages = ['apple', 'birch', 'cedar', 'daisy', 'elder'].toSorted((a, b) =>
  fingerprintOf(a, []).compare(fingerprintOf(b, [])),
)

async function log(user: GivenUser, ...texts: string[]): Promise<string[]> {
  const errors = texts.map((message) => ({ message, timestamp }))
  const reply = await ask('POST', '/api/v1/errors/log', { token: user.token, body: { errors } })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.errorIds
}

const setStatus = (user: GivenUser, id: string | undefined, status: string) =>
  ask('PATCH', `/api/v1/errors/${id}`, { token: user.token, body: { status } })

/** Does something while another transaction holds an error, once `blocked` waits for it; then lets go. */
async function whileHeld<T>(id: string | undefined, blocked: () => Promise<T>, act: () => Promise<void>) {
  const holder = await database.ownerPool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from error_groups where id = $1 for update', [id])
    const waiting = blocked()
    await lockWait(database)
    await act()
    await holder.query('rollback')
    return await waiting
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test('a report that waits for one error holds up no other change of its organization', async () => {
  const user = await given.user()
  const [first, second, third] = [messages[0] ?? '', messages[1] ?? '', messages[2] ?? '']
  const [resolved, held, other] = await log(user, first, second, third)
  await setStatus(user, resolved, 'resolved')
  await whileHeld(
    held,
    () => log(user, first, second),
    async () => {
      // It writes to the organization's trail, as the report will for the error that came back.
      expect((await setStatus(user, other, 'ignored')).status).toBe(200)
    },
  )
  const { rows } = await database.ownerPool.query(
    `select target_id from audit_entries where organization_id = $1 and action = 'error.regress'`,
    [user.organizationId],
  )
  expect(rows).toEqual([{ target_id: resolved }])
})

test('where there are too many errors, a report that waits for a known one does not hold what the others share', async () => {
  const user = await given.user()
  const [surplus = '', known = ''] = [messages.at(0), messages.at(-1)]
  const [held] = await log(user, known)
  await database.ownerPool.query(
    `insert into error_groups (id, organization_id, fingerprint, message, culprit, kind, first_seen_at, last_seen_at,
       first_release, last_release)
     select gen_random_uuid(), $1, $2::bytea || int4send(n), 'x', '', 'error', now(), now(), '1', '1'
     from generate_series(1, 999) n`,
    [user.organizationId, randomBytes(28)],
  )
  const shared = await whileHeld(
    held,
    () => log(user, surplus, known),
    async () => {
      await log(user, messages[1] ?? '')
    },
  )
  expect(shared[1]).toBe(held)
  const { body } = await ask('GET', `/api/v1/errors/${shared[0]}`, { token: user.token })
  expect(body.group).toMatchObject({ occurrenceCount: 2, culprit: '' })
  expect(body.group.message).toContain('More different errors than are kept apart')
})
