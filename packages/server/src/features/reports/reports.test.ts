import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { recordUsage, type UsageEvent, type UsageSubject } from '../../platform/usage/record.ts'
import { reports } from '../../tables/reports.ts'
import { usageGaps } from '../../tables/usage.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { spansOf } from './period.ts'
import { trendOf } from './trend.ts'

const app = await testApp()
const { given } = app

const parameters = {
  period: 'this-month',
  timeZone: 'UTC',
  clusterIds: [] as number[],
  isCompared: false,
  hiddenSections: [] as string[],
}

const asked = (user: GivenUser) => async (method: string, path: string, body?: object) => {
  const { token, organizationId } = user
  return app.ask(method, `/api/reports${path}`, { token, organizationId, ...(body && { body }) })
}

async function issued(user: GivenUser, kind: string, more: object = {}) {
  const ask = asked(user)
  const made = await ask('POST', '', { name: `${kind} ${Math.random()}`, kind, parameters, ...more })
  expect(made.status, made.text).toBe(201)
  const issue = await ask('POST', `/${made.body.id}/issues`)
  expect(issue.status, issue.text).toBe(201)
  return {
    id: String(made.body.id),
    issueId: String(issue.body.id),
    path: `/${made.body.id}/issues/${issue.body.id}`,
  }
}

type Figure = { id: string; value: string }
const figuresOf = (body: { paper: { sections: { blocks: { kind: string; figures?: Figure[] }[] }[] } }) =>
  Object.fromEntries(
    body.paper.sections.flatMap(({ blocks }) =>
      blocks.flatMap(({ figures }) => (figures ?? []).map(({ id, value }) => [id, value])),
    ),
  )

test('an issue stays as it was frozen, and what moved since is said beside it', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { path } = await issued(user, 'secrets-age')
  const ask = asked(user)
  const before = await ask('GET', path)
  expect(before.body.moved).toEqual([])
  expect(figuresOf(before.body)).toMatchObject({ secrets: '0' })
  expect(JSON.stringify(before.body.paper)).toContain('There is no secret.')
  const made = await app.ask('POST', '/api/secrets', {
    token: user.token,
    organizationId: user.organizationId,
    body: { name: 'late', type: 'password', value: 'v', encoding: 'utf8' },
  })
  expect(made.status, made.text).toBe(201)
  const after = await ask('GET', path)
  expect(after.body.paper).toEqual(before.body.paper)
  expect(after.body.moved).toContainEqual({ label: 'Secrets', was: '0', is: '1' })
})

test('each kind can be read of an empty organization and says that there is nothing', async () => {
  const user = await given.user({ role: 'OWNER' })
  const ask = asked(user)
  const sentences: Record<string, string> = {
    reliability: 'No run ended',
    capacity: 'There is no cluster and no database.',
    cost: 'Nothing that has a price was used',
    'backup-proof': 'There is no database.',
    'secrets-age': 'There is no secret.',
    'access-review': '1 member and 0 API keys have access.',
    'change-log': 'from ',
  }
  for (const [kind, sentence] of Object.entries(sentences)) {
    const { status, body, text } = await ask('POST', '/preview', { kind, parameters })
    expect(status, text).toBe(200)
    expect(JSON.stringify(body.paper), kind).toContain(sentence)
  }
})

test('a cost report says what a period cost by service, owner and workload, to the last digit, and what is not metered', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId } = user
  const now = new Date()
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
  const at = new Date(first.getTime() + 36 * 3_600_000)
  const used = (id: string, value: string, subject: UsageSubject): UsageEvent => {
    return { source: 'test', id, meter: 'runs', value, at, subject }
  }
  await app.database.withTenant(organizationId, async (db) => {
    await recordUsage(db, organizationId, [
      used('1', '7.25', { owner: { id: 7, name: 'Grace' } }),
      used('2', '0.00015', {}),
      // Of the month before: outside the period.
      { ...used('3', '50', {}), at: new Date(first.getTime() - 3_600_000) },
    ])
    await db.insert(usageGaps).values({
      organizationId,
      entityType: 'cluster',
      entityId: '1',
      name: 'prod-eu',
      fromAt: at,
      toAt: new Date(at.getTime() + 3_600_000),
    })
  })
  const preview = async (period: string) =>
    (
      await asked(user)('POST', '/preview', {
        kind: 'cost',
        parameters: { ...parameters, period, isCompared: true },
      })
    ).body
  const body = await preview('last-month')
  expect(figuresOf(body)).toMatchObject({ total: '0.15 EUR', unowned: '0.00 EUR' })
  expect(JSON.stringify(body.paper)).toMatch(/ cost 0\.15 EUR, 0\.85 EUR less than 1 to \d+ /)
  expect(JSON.stringify(body.paper)).toContain('These rows add up to 0.145003 EUR.')
  const owners = body.paper.sections.find(({ id }: { id: string }) => id === 'owners')
  expect(owners.blocks[0].rows.map((row: string[]) => [row[0], row[1], row[3]])).toEqual([
    ['Grace', '0.145000', '0.000000'],
    ['Without an owner', '0.000003', '1.000000'],
  ])
  expect(body.paper.unread).toEqual([expect.stringContaining('No samples of prod-eu from')])
  expect(JSON.stringify(body.paper)).toContain('The prices are an example until an owner saves prices.')
  expect(figuresOf(await preview('this-month'))).toMatchObject({ total: '0.00 EUR' })
})

test('a chosen cluster that is gone is named on the paper', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { body } = await asked(user)('POST', '/preview', {
    kind: 'capacity',
    parameters: { ...parameters, clusterIds: [999_999] },
  })
  expect(body.paper.unread).toContain('Cluster 999999 was deleted; it is left out.')
})

test('access reviews and change logs are not there for members, and other organizations have none of it', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { id, path } = await issued(owner, 'access-review')
  const member = await given.user({ role: 'MEMBER', organizationId: owner.organizationId })
  const stranger = await given.user({ role: 'OWNER' })
  for (const user of [member, stranger]) {
    const ask = asked(user)
    expect((await ask('GET', '')).body.reports).toEqual([])
    for (const place of [`/${id}`, path, `${path}/file?format=csv`]) {
      expect((await ask('GET', place)).status, place).toBe(404)
    }
  }
  const refused = await asked(member)('POST', '/preview', { kind: 'change-log', parameters })
  expect(refused.status).toBe(403)
  expect(refused.body.detail).toContain('does not hold the permission audit.read')
})

test('bad input is refused with a sentence', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const ask = asked(user)
  const body = { name: 'r', kind: 'reliability', parameters }
  const period = await ask('POST', '', { ...body, parameters: { ...parameters, period: 'last-century' } })
  expect(period.text).toContain('Choose one of the periods')
  const zone = await ask('POST', '', { ...body, parameters: { ...parameters, timeZone: 'Mars/Olympus' } })
  expect(zone.text).toContain('Send a time zone such as Europe/Berlin or UTC.')
  expect((await ask('POST', '', { ...body, schedule: 'often' })).text).toContain('is no schedule')
  expect((await ask('POST', '', { ...body, schedule: '* * * * *' })).text).toContain('once an hour at most')
  expect((await ask('POST', '', { ...body, recipients: [999_999] })).text).toContain(
    'no member of this organization',
  )
  expect((await ask('GET', '')).body.reports).toEqual([])
})

test('a link opens one issue without an account until it is revoked or expires', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const ask = asked(user)
  const { path } = await issued(user, 'reliability')
  const made = await ask('POST', `${path}/links`, { expiresInDays: 7 })
  const opened = await app.ask('GET', `/api/report-links/${made.body.token}`)
  expect(opened.status).toBe(200)
  expect(opened.text).toContain('No run ended')
  expect(opened.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect((await ask('GET', `${path}/links`)).body.links).toMatchObject([{ status: 'open', openedCount: 1 }])
  const { rows } = await app.database.ownerPool.query('select token_hash from report_links where id = $1', [
    made.body.link.id,
  ])
  expect(JSON.stringify(rows)).not.toContain(made.body.token)

  expect((await ask('DELETE', `${path}/links/${made.body.link.id}`)).status).toBe(204)
  expect((await app.ask('GET', `/api/report-links/${made.body.token}`)).status).toBe(404)

  const second = await ask('POST', `${path}/links`, { expiresInDays: 1 })
  await app.database.ownerPool.query(
    "update report_links set expires_at = now() - interval '1 second' where id = $1",
    [second.body.link.id],
  )
  const late = await app.ask('GET', `/api/report-links/${second.body.token}`)
  expect(late.status).toBe(404)
  expect(late.body.detail).toContain('has expired or was revoked')
})

test('files are the frozen paper, and reading is counted once for each person', async () => {
  const user = await given.user({ role: 'OWNER', name: 'Grace' })
  const ask = asked(user)
  const { id, path } = await issued(user, 'change-log', { recipients: [] })
  const csv = await ask('GET', `${path}/file?format=csv`)
  expect(csv.text).toContain('Data as of')
  const pdf = await ask('GET', `${path}/file?format=pdf`)
  expect(pdf.text.startsWith('%PDF-')).toBe(true)
  for (let time = 0; time < 2; time += 1) expect((await ask('PUT', `${path}/read`)).status).toBe(204)
  const { body } = await ask('GET', path)
  expect(body.readers).toMatchObject([{ name: 'Grace' }])
  expect((await ask('GET', `/${id}`)).body.issues).toMatchObject([{ readCount: 1 }])
})

const due = (id: string, hours: number) =>
  app.database.asSystem('let a schedule be due', (db) =>
    db
      .update(reports)
      .set({ nextAt: sql`now() - make_interval(hours => ${hours})` })
      .where(eq(reports.id, id)),
  )

test('a schedule that passed many times is made up once, whoever looks first', async () => {
  const user = await given.user({ role: 'OWNER' })
  const ask = asked(user)
  const body = {
    name: 'hourly',
    kind: 'secrets-age',
    parameters,
    schedule: '0 * * * *',
    recipients: [user.id],
  }
  const { body: made } = await ask('POST', '', body)
  await due(made.id, 30)
  await expect.poll(async () => (await ask('GET', `/${made.id}`)).body.issueCount).toBe(1)
  const { body: after } = await ask('GET', `/${made.id}`)
  expect(after.note).toContain('because Bey did not run')
  expect(after.status).toBe('scheduled')
  expect(Date.parse(after.nextAt)).toBeGreaterThan(Date.parse(after.issues[0].asOf))
  const { rows } = await app.database.ownerPool.query<{ subject: string }>(
    'select subject from mail_outbox where recipient = $1',
    [user.email],
  )
  expect(rows.filter(({ subject }) => subject.startsWith('hourly'))).toHaveLength(1)
})

test('a schedule is paused with the reason once its owner may not read what it reports', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const admin = await given.user({ role: 'ADMIN', organizationId: owner.organizationId })
  const body = { name: 'review', kind: 'access-review', parameters, schedule: '0 6 * * 1' }
  const { body: made } = await asked(admin)('POST', '', body)
  await app.database.ownerPool.query('delete from memberships where user_id = $1 and organization_id = $2', [
    admin.id,
    owner.organizationId,
  ])
  await due(made.id, 0)
  const ask = asked(owner)
  await expect.poll(async () => (await ask('GET', `/${made.id}`)).body.status).toBe('paused')
  const { body: paused } = await ask('GET', `/${made.id}`)
  expect(paused).toMatchObject({ issueCount: 0, nextAt: null })
  expect(paused.note).toContain('has left the organization')
  const resumed = await ask('PATCH', `/${made.id}`, { schedule: '0 6 * * 1' })
  expect(resumed.body).toMatchObject({ status: 'scheduled', note: null })
})

test('three scheduled issues that nobody read ask to stop, and one reader ends that', async () => {
  const user = await given.user({ role: 'OWNER' })
  const ask = asked(user)
  const { body: made } = await ask('POST', '', {
    name: 'unread',
    kind: 'secrets-age',
    parameters,
    schedule: '0 * * * *',
  })
  for (let count = 1; count <= 3; count += 1) {
    await due(made.id, 1)
    await expect.poll(async () => (await ask('GET', `/${made.id}`)).body.issueCount).toBe(count)
    const { isUnread } = (await ask('GET', `/${made.id}`)).body
    expect(isUnread).toBe(count === 3)
  }
  const { issues } = (await ask('GET', `/${made.id}`)).body
  await ask('PUT', `/${made.id}/issues/${issues.at(-1).id}/read`)
  expect((await ask('GET', `/${made.id}`)).body.isUnread).toBe(false)
})

test('weeks begin on Monday at midnight of the time zone, also when its clocks change', () => {
  const week = { period: 'last-week', timeZone: 'Europe/Berlin' } as const
  const { span, before } = spansOf(week, new Date('2026-11-02T12:00:00Z'))
  // The clocks went back on 25 October: the week before has 169 hours.
  expect(span.from.toISOString()).toBe('2026-10-25T23:00:00.000Z')
  expect(span.to.toISOString()).toBe('2026-11-01T23:00:00.000Z')
  expect(before.from.toISOString()).toBe('2026-10-18T22:00:00.000Z')
  expect(span.label).toBe('26 October to 1 November 2026')
})

test('a month ends with its last day, and a period that is not over ends now', () => {
  const now = new Date('2026-03-31T12:00:00Z')
  const last = spansOf({ period: 'last-month', timeZone: 'UTC' }, now)
  expect(last.span.label).toBe('1 to 28 February 2026')
  expect(last.before.label).toBe('1 to 31 January 2026')
  expect(spansOf({ period: 'this-month', timeZone: 'UTC' }, now).span.to).toEqual(now)
})

test('a capacity is full where the line of its use reaches it, and unknown from less than three days', () => {
  const day = 86_400_000
  const rising = Array.from({ length: 20 }, (_, index) => 0.5 + index * 0.01)
  const trend = trendOf(rising, day, 0)
  expect(trend?.perWeek).toBeCloseTo(0.07)
  expect(Math.round((trend?.fullAt?.getTime() ?? 0) / day)).toBe(31)
  expect(trendOf(rising, 60_000, 0)?.fullAt).toBeUndefined()
  expect(trendOf([null, null], day, 0)).toBeUndefined()
  expect(trendOf(rising.toReversed(), day, 0)?.fullAt).toBeUndefined()
})
