import { expect, test } from 'vitest'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { webhookDeliveries } from '../../../tables/webhook-deliveries.ts'
import { webhooks } from '../../../tables/webhooks.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { claimDue, releaseClaim } from './claim.ts'

const database = await testDatabase()
const given = createGiven(database)
const claim = (limit: number) => database.asSystem('test', (db) => claimDue(db, limit))

async function webhookWith(deliveries: number) {
  const { id: organizationId } = await given.organization()
  const webhookId = uuidv7()
  await database.withTenant(organizationId, async (db) => {
    await db
      .insert(webhooks)
      .values({ id: webhookId, organizationId, name: 'hook', url: 'https://example.com/', events: [] })
    await db.insert(webhookDeliveries).values(
      Array.from({ length: deliveries }, () => ({
        id: uuidv7(),
        organizationId,
        webhookId,
        eventId: uuidv7(),
        type: 'run.updated',
        payload: '{}',
      })),
    )
  })
  return { organizationId, webhookId }
}

test('several processes claim each delivery once, and one webhook never takes every place', async () => {
  const slow = await webhookWith(100)
  const other = await webhookWith(3)
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(64)))).flat()
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length)
  const of = (webhookId: string) => claimed.filter((each) => each.webhookId === webhookId)
  expect(of(other.webhookId)).toHaveLength(3)
  expect(of(slow.webhookId).length).toBeGreaterThanOrEqual(16)
  expect(of(slow.webhookId).length).toBeLessThan(100)
})

test('a claim that is given back counts for nothing and is due at once', async () => {
  const { webhookId } = await webhookWith(1)
  const mine = async () => (await claim(64)).filter((each) => each.webhookId === webhookId)
  const [first] = await mine()
  if (!first) throw new Error('Nothing was claimed')
  expect(first).toMatchObject({ attempts: 1, attemptNumber: 1 })
  expect(await mine()).toEqual([])
  await database.withTenant(first.organizationId, (db) => releaseClaim(db, first))
  const [again] = await mine()
  expect(again).toMatchObject({ id: first.id, attempts: 1, attemptNumber: 2 })
  // An outcome of the former claim comes too late.
  await database.withTenant(first.organizationId, (db) => releaseClaim(db, first))
  expect(await mine()).toEqual([])
})
