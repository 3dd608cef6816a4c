import { expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import type { AnyPublishedEvent } from '../../platform/live/publish.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven, type GivenUser } from '../../testing/given.ts'
import { approvalDecisions } from '../../tables/run-approvals.ts'
import { approvalNotices } from './approval-notices.ts'
import { createNotifications } from './service.ts'

const database = await testDatabase()
const given = createGiven(database)
const published: AnyPublishedEvent[] = []
const publish = async (_db: unknown, events: readonly AnyPublishedEvent[]) => void published.push(...events)
const tell = approvalNotices({ publish, clock: realClock })
const service = createNotifications({ database, publish, clock: realClock })

const listOf = async ({ organizationId, id: userId }: GivenUser) =>
  (await service.list({ organizationId, userId }, { limit: 30, show: 'all' })).notifications

test('anyone who may decide is notified with a link to the approval; who asked and who may not are not', async () => {
  const asker = await given.user({ role: 'ADMIN' })
  const { organizationId } = asker
  const admin = await given.user({ organizationId, role: 'OWNER' })
  const named = await given.user({ organizationId, role: 'VIEWER' })
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const { id } = await given.approval({
    organizationId,
    question: `Deploy? ${'x'.repeat(300)}`,
    requestedBy: asker.id,
    approvers: { role: 'ADMIN', userIds: [named.id], allowsRequester: false },
  })
  await database.withTenant(organizationId, (db) => tell(db, { id, organizationId }))
  for (const user of [admin, named]) {
    expect(await listOf(user)).toMatchObject([
      { kind: 'approval', level: 'info', href: `/workflows/approvals/${id}`, readAt: null },
    ])
  }
  expect((await listOf(admin))[0]?.title).toHaveLength(200)
  expect([await listOf(asker), await listOf(member)]).toEqual([[], []])
  const notified = published.map(({ data }) => data)
  expect(notified).toHaveLength(2)
  expect(notified).toEqual(expect.arrayContaining([{ userId: admin.id }, { userId: named.id }]))
})

test('a reminder names who asks, and leaves out who decided already', async () => {
  const asker = await given.user({ role: 'MEMBER' })
  const { organizationId } = asker
  const decided = await given.user({ organizationId, role: 'ADMIN' })
  const open = await given.user({ organizationId, role: 'ADMIN' })
  const { id } = await given.approval({ organizationId, requestedBy: asker.id, neededCount: 2 })
  await database.withTenant(organizationId, async (db) => {
    await db
      .insert(approvalDecisions)
      .values({ organizationId, approvalId: id, userId: decided.id, decision: 'approve' })
    await tell(db, { id, organizationId, remindedBy: 'Ada Lovelace' })
  })
  expect((await listOf(open))[0]?.detail).toMatch(/^Ada Lovelace reminds you: .* waits for your decision\.$/)
  expect(await listOf(decided)).toEqual([])
})

test('an approval that was decided meanwhile tells nobody', async () => {
  const admin = await given.user({ role: 'ADMIN' })
  const { organizationId } = admin
  const { id } = await given.approval({ organizationId, status: 'approved' })
  await database.withTenant(organizationId, (db) => tell(db, { id, organizationId }))
  expect(await listOf(admin)).toEqual([])
})
