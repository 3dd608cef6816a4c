import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'
import { nextTime, requireCron, timesBetween } from './schedule-times.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded, lookNow } = databaseApi(app, user)

test('a schedule begins a backup by itself; one that was missed is made up once, and that is said', async () => {
  const { id } = await embedded('orders')
  const path = `/api/databases/${id}`
  const policy = { retentionDays: 7, pitr: true, targetId: null, drillSchedule: null, checks: [] }
  const put = (schedule: string | null) => ask('PUT', `${path}/backup-policy`, { ...policy, schedule })
  const readPolicy = async () => (await ask('GET', `${path}/backup-policy`)).body
  const set = await put('30 2 * * *')
  expect(set.body.nextBackupAt).toMatch(/T02:30:00\.000Z$/)
  expect(set.body).toMatchObject({ nextDrillAt: null, backupNote: null })

  const setDue = (at: string) =>
    app.database.ownerPool.query(
      `update database_backup_policies set next_backup_at = ${at} where database_id = $1`,
      [id],
    )
  const backups = async () => (await ask('GET', `${path}/backups`)).body.backups
  const completed = (count: number) =>
    vi.waitFor(
      async () => {
        await lookNow()
        const found = await backups()
        expect(found.map(({ status }: { status: string }) => status)).toEqual(
          Array.from({ length: count }, () => 'completed'),
        )
        return found
      },
      { timeout: 60_000, interval: 300 },
    )

  await setDue('now()')
  const [first] = await completed(1)
  expect(first).toMatchObject({ trigger: 'schedule', createdBy: { type: 'system' } })
  expect(await readPolicy()).toMatchObject({ backupNote: null, nextBackupAt: set.body.nextBackupAt })

  await setDue(`now() - interval '3 days'`)
  await completed(2)
  expect((await readPolicy()).backupNote).toMatch(
    /^4 backups that were due since \d{4}-\d\d-\d\d \d\d:\d\d UTC were missed, for the database or Bey did not run; one was made at/,
  )
  expect((await put(null)).body).toMatchObject({ nextBackupAt: null, backupNote: null })
}, 120_000)

test('times of a schedule are in UTC; nonsense and what never comes is refused', () => {
  const at = new Date('2026-03-29T00:00:00Z')
  expect(nextTime('30 2 * * *', at)?.toISOString()).toBe('2026-03-29T02:30:00.000Z')
  expect(nextTime(null, at)).toBeNull()
  expect(timesBetween('0 * * * *', at, new Date('2026-03-29T03:00:00Z'))).toBe(3)
  expect(timesBetween('* * * * *', at, new Date('2027-03-29T03:00:00Z'))).toBe(100)
  expect(() => requireCron('every day')).toThrow('"every day" is no schedule: use five fields as in crontab.')
  expect(() => requireCron('0 0 31 2 *')).toThrow('"0 0 31 2 *" never comes. Choose another schedule.')
})
