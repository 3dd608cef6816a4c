import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { proxyCaller } from '../testing/proxy-server.ts'
import { countingPeriodMs, createProxyAudit } from './proxy-audit.ts'
import { requestInfo } from './request-info.ts'
import { userRate } from './user-rate.ts'

const database = await testDatabase()
const given = createGiven(database)

test('reads are counted, one entry a user and cluster and period, by resource', async () => {
  const clock = fakeClock()
  const user = await given.user()
  const { organizationId } = user
  const audit = createProxyAudit(database, clock, createLog({ level: 'silent' }))
  const read = (resource: string) => ({
    caller: proxyCaller('OWNER', { userId: user.id, organizationId, email: user.email }),
    cluster: {
      id: 7,
      organizationId,
      title: 'prod',
      status: 'RUNNING' as const,
      pendingOperations: 0,
      version: '',
    },
    info: requestInfo('GET', ['api', 'v1', resource], new URLSearchParams()),
    query: new URLSearchParams(),
    token: '',
  })
  const origin = { ip: '127.0.0.1', userAgent: 'kubectl/v1.33', requestId: 'r' }
  for (let index = 0; index < 30; index++) await audit.record(read('pods'), 200, origin)
  await audit.record(read('nodes'), 200, origin)
  const entries = () =>
    database.readTenant(organizationId, (db) =>
      db.select().from(auditEntries).where(eq(auditEntries.action, 'kubernetes.read')),
    )
  expect(await entries()).toEqual([])
  clock.advance(countingPeriodMs)
  await expect.poll(entries).toMatchObject([
    {
      actorId: String(user.id),
      targetName: 'prod',
      via: 'kubectl',
      diff: { requests: 31, byResource: { pods: 30, nodes: 1 } },
    },
  ])

  for (let index = 0; index < 300; index++) await audit.record(read(`made-up-${index}`), 404, origin)
  await audit.stop()
  const [, second] = await entries()
  const { byResource } = (second?.diff ?? {}) as { byResource?: object }
  expect(Object.keys(byResource ?? {})).toHaveLength(101)
})

test('a user may ask 600 times at once and ten times a second, and does not use up another’s share', () => {
  const clock = fakeClock()
  const mayAsk = userRate(clock)
  const asked = (userId: number, times: number) =>
    Array.from({ length: times }, () => mayAsk(userId)).filter(Boolean).length
  expect(asked(1, 700)).toBe(600)
  expect(asked(2, 10)).toBe(10)
  clock.advance(1000)
  expect(asked(1, 20)).toBe(10)
})
