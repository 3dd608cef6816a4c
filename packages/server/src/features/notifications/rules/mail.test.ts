import { afterAll, expect, test, vi } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { publishAll } from '../../../platform/live/publish.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { startMailServer } from '../../../testing/mail-server.ts'
import { createNotify } from './notify.ts'

const server = await startMailServer()
afterAll(() => server.stop())
const app = await testApp({ smtp: server.settings, publicUrl: 'https://bey.example' })
const { ask, given, database } = app
const notify = createNotify({ publish: publishAll, clock: realClock })
const wide = { timeout: 60_000, interval: 20 }

const rule = {
  owner: 'organization',
  name: 'failures',
  events: ['run.failed', 'health.failing'],
  minSeverity: 'info',
  whose: 'anyone',
  clusterIds: [],
  workflowIds: [],
  inApp: true,
  mail: true,
  channelIds: [],
  quiet: null as { from: string; to: string } | null,
  timeZone: 'Asia/Tokyo',
  digest: 'none',
  mutedUntil: null as string | null,
  isEnabled: true,
}

async function ownerWith(change: Partial<typeof rule>): Promise<GivenUser> {
  const owner = await given.user()
  const { token, organizationId } = owner
  const made = await ask('POST', '/api/notification-rules', {
    token,
    organizationId,
    body: { ...rule, ...change },
  })
  expect(made.status, made.text).toBe(201)
  return owner
}

const happens = ({ organizationId }: GivenUser, title: string, path = '/workflows/runs/7') =>
  database.withTenant(organizationId, (db) =>
    notify(db, {
      organizationId,
      kind: 'run',
      event: 'run.failed',
      level: 'error',
      title,
      detail: 'no quota',
      href: path,
      subject: null,
      concerned: [],
    }),
  )

const mailsTo = ({ email }: GivenUser) => server.mails.filter(({ to }) => to.includes(email))
/** The text of a message, its soft line breaks and escapes undone (RFC 2045). */
const textOf = (source: string) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
const subjectsTo = (user: GivenUser) =>
  mailsTo(user).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())

type Waiting = { seconds: number; count: number }
const waiting = async ({ organizationId }: GivenUser): Promise<Waiting[]> => {
  const { rows } = await database.ownerPool.query<Waiting>(
    `select extract(epoch from due_at - now())::int as seconds, count from notification_deliveries
     where organization_id = $1 and sent_at is null order by at`,
    [organizationId],
  )
  return rows
}
const makeDue = ({ organizationId }: GivenUser) =>
  database.ownerPool.query(
    'update notification_deliveries set due_at = now() where organization_id = $1 and sent_at is null',
    [organizationId],
  )
const listed = async ({ token, organizationId }: GivenUser): Promise<string[]> =>
  (await ask('GET', '/api/notifications', { token, organizationId })).body.notifications.map(
    ({ title }: { title: string }) => title,
  )

test('what a rule sends by mail arrives at each member once, with the way to it', async () => {
  const owner = await ownerWith({})
  const member = await given.user({ organizationId: owner.organizationId, role: 'VIEWER' })
  const stranger = await given.user()
  await happens(owner, 'Deploy failed')
  for (const user of [owner, member]) {
    await vi.waitFor(() => expect(subjectsTo(user)).toEqual(['Deploy failed']), wide)
  }
  const text = textOf(mailsTo(member)[0]?.source ?? '')
  expect(text).toContain('no quota')
  expect(text).toContain('https://bey.example/workflows/runs/7')
  expect(text).toContain('https://bey.example/workspaces/settings/notifications')
  expect(mailsTo(stranger)).toEqual([])
})

test('a digest gathers what happened until its hour into one mail', async () => {
  const owner = await ownerWith({ digest: 'hourly' })
  await happens(owner, 'First failed', '/workflows/runs/1')
  await happens(owner, 'Second failed', '/workflows/runs/2')
  const before = await waiting(owner)
  expect(before).toHaveLength(2)
  for (const { seconds } of before) expect(seconds).toBeLessThanOrEqual(3_600)
  expect(await listed(owner)).toEqual(['Second failed', 'First failed'])
  await makeDue(owner)
  await vi.waitFor(() => expect(subjectsTo(owner)).toEqual(['2 notifications']), wide)
  const text = textOf(mailsTo(owner)[0]?.source ?? '')
  expect(text.indexOf('First failed')).toBeGreaterThan(0)
  expect(text.indexOf('Second failed')).toBeGreaterThan(text.indexOf('First failed'))
})

test('quiet hours of the rule’s time zone hold mail back until they end, and the console lists at once', async () => {
  const inTokyo = (aheadMinutes: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Tokyo',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(new Date(Date.now() + aheadMinutes * 60_000))
  const owner = await ownerWith({ quiet: { from: inTokyo(-60), to: inTokyo(120) } })
  await happens(owner, 'At night')
  expect(await listed(owner)).toEqual(['At night'])
  const [held] = await waiting(owner)
  expect(held?.seconds).toBeGreaterThan(110 * 60)
  expect(held?.seconds).toBeLessThanOrEqual(120 * 60)
  expect(mailsTo(owner)).toEqual([])
  await makeDue(owner)
  await vi.waitFor(() => expect(subjectsTo(owner)).toEqual(['At night']), wide)
})

test('the same of the same thing is one mail with its count, and comes again after a while only', async () => {
  const owner = await ownerWith({ digest: 'hourly' })
  for (let time = 1; time <= 3; time += 1) await happens(owner, 'Flaps')
  expect(await waiting(owner)).toMatchObject([{ count: 3 }])
  await makeDue(owner)
  await vi.waitFor(() => expect(subjectsTo(owner)).toEqual(['Flaps']), wide)
  expect(textOf(mailsTo(owner)[0]?.source ?? '')).toContain('Flaps (3 times)')
  await happens(owner, 'Flaps')
  const [again] = await waiting(owner)
  expect(again?.count).toBe(1)
  expect(again?.seconds).toBeGreaterThan(0)
})

test('a muted rule sends nothing, and after its time it does', async () => {
  const owner = await ownerWith({ mutedUntil: new Date(Date.now() + 3_600_000).toISOString() })
  await happens(owner, 'Muted')
  expect([await waiting(owner), await listed(owner)]).toEqual([[], []])
  await database.ownerPool.query(
    'update notification_rules set muted_until = now() where organization_id = $1',
    [owner.organizationId],
  )
  await happens(owner, 'Heard')
  await vi.waitFor(() => expect(subjectsTo(owner)).toEqual(['Heard']), wide)
})
