import { expect, test } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { databaseApi } from './testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const api = databaseApi(app, admin)
const events = ['database.created', 'database.deleted', 'database.failed', 'backup.failed', 'drill.failed']
const hook = await api.ask('POST', '/api/webhooks', { name: 'all', url: 'http://127.0.0.1:1/hook', events })
expect(hook.status, hook.text).toBe(201)

/** Messages about a database, the oldest first, as type and reason. */
async function messagesOf(databaseId: string): Promise<[string, string | null][]> {
  const { rows } = await app.database.ownerPool.query<{ type: string; payload: string }>(
    `select type, payload from webhook_deliveries where payload::text like $1 order by id`,
    [`%${databaseId}%`],
  )
  return rows.map(({ type, payload }) => {
    const { data } = typeof payload === 'string' ? JSON.parse(payload) : payload
    return [type, data.reason]
  })
}

test('webhooks get that a database was created, and that it was deleted', async () => {
  const { id } = await api.embedded('sent')
  expect(await messagesOf(id)).toEqual([['database.created', null]])
  const { body } = await api.ask('POST', `/api/databases/${id}/hibernate`)
  expect(body.status).toBe('queued')
  await api.until(id, { status: 'hibernated' })
  await api.ask('DELETE', `/api/databases/${id}`)
  await expect
    .poll(() => messagesOf(id), { timeout: 60_000 })
    .toEqual([
      ['database.created', null],
      ['database.deleted', null],
    ])
}, 120_000)

test('webhooks get that an external server has not answered for 30 s, once', async () => {
  const connection = { uri: 'postgresql://app@127.0.0.1:1/app?sslmode=disable' }
  const made = await api.ask('POST', '/api/databases', { provider: 'external', name: 'away', connection })
  const { id } = made.body
  await api.until(id, { status: 'unreachable' })
  expect(await messagesOf(id)).toEqual([['database.created', null]])
  await app.database.ownerPool.query(
    `update databases set status_since = now() - interval '1 minute' where id = $1`,
    [id],
  )
  await api.lookNow()
  await expect
    .poll(() => messagesOf(id), { timeout: 60_000 })
    .toEqual([
      ['database.created', null],
      ['database.failed', expect.stringContaining('Nothing accepts connections')],
    ])
}, 120_000)
