import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { audit } from '../../../platform/audit/audit.ts'
import type { AuditRecord } from '../../../platform/audit/record.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { startMain } from '../../../testing/main-child.ts'
import { receiver, type Received } from '../testing/receiver.ts'

const database = await testDatabase()
const user = await createGiven(database).user()
const secretKey = randomBytes(32).toString('base64')
const start = () => startMain({ BEY_ROLE: 'web', DATABASE_URL: database.url, BEY_SECRET_KEY: secretKey })

async function write(count: number): Promise<void> {
  await database.withTenant(user.organizationId, async (db) => {
    for (let n = 1; n <= count; n += 1) {
      await audit(db, {
        organizationId: user.organizationId,
        actor: { type: 'user', id: user.id, name: user.name, email: user.email },
        via: 'console',
        action: 'secret.create',
        class: 'create',
      })
    }
  })
}

async function makeStream(server: string, url: string): Promise<void> {
  const reply = await fetch(`${server}/api/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.token}`,
      'x-organization-id': String(user.organizationId),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'siem', url, events: ['audit.entries'], auditFrom: 'first' }),
  })
  expect(reply.status, await reply.text()).toBe(201)
}

/** A claim of a process that died is free after a minute; here at once. */
const freeClaims = () =>
  database.ownerPool.query(`update webhook_deliveries set next_at = now() where status = 'sending'`)

async function endOfLog(): Promise<number> {
  const { rows } = await database.ownerPool.query(
    'select seq::int as "end" from audit_heads where organization_id = $1',
    [user.organizationId],
  )
  return rows[0]?.end ?? 0
}

/** What a receiver knows that drops the messages whose id it has seen. */
function withoutRepeats(received: readonly Received[]): AuditRecord[] {
  const seen = new Map<unknown, string>()
  return received.flatMap(({ headers, body }) => {
    const id = headers['webhook-id']
    const before = seen.get(id)
    if (before !== undefined) {
      // A repeated message is the same one, to the byte.
      expect(body).toBe(before)
      return []
    }
    seen.set(id, body)
    return (JSON.parse(body) as { data: { entries: AuditRecord[] } }).data.entries
  })
}

test('a process that is killed while it streams the log loses no entry, and the order stays', async () => {
  // Killed with a message that was taken and whose answer nobody heard, and with entries that wait behind it.
  const to = await receiver(async (_message, index) => {
    if (index === 1) await process.kill()
    return 204
  })
  const process = await start()
  await write(450)
  await makeStream(process.url, to.url)
  await to.until(2)
  await process.kill()
  await write(200)
  await freeClaims()
  await start()
  await vi.waitFor(
    async () => {
      const end = await endOfLog()
      expect(end).toBeGreaterThan(650)
      const numbers = withoutRepeats(to.received).map(({ number }) => number)
      expect(numbers).toEqual(Array.from({ length: end }, (_, index) => index + 1))
    },
    { timeout: 60_000, interval: 50 },
  )
  const ids = to.received.map(({ headers }) => headers['webhook-id'])
  // What was not answered came again as it was, before anything else, and nothing else twice.
  expect(ids[2]).toBe(ids[1])
  expect(new Set(ids).size).toBe(ids.length - 1)
})
