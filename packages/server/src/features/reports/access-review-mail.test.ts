import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { reports } from '../../tables/reports.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { startMailServer } from '../../testing/mail-server.ts'

const server = await startMailServer()
afterAll(() => server.stop())
const app = await testApp({ smtp: server.settings, publicUrl: 'https://bey.example' })
const { ask, given, database } = app
const wide = { timeout: 60_000 }

/** A quoted-printable body as text. */
const decoded = (source: string) =>
  source
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const mailsTo = ({ email }: GivenUser) =>
  server.mails.filter(({ to }) => to.includes(email)).map(({ source }) => decoded(source))

const letBeDue = (id: string) =>
  database.asSystem('let a schedule be due', (db) =>
    db.update(reports).set({ nextAt: new Date() }).where(eq(reports.id, id)),
  )

test('an access review is mailed on its schedule, with its files, what was not read, and an end when its author leaves', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const admin = await given.user({ role: 'ADMIN', organizationId })
  const as = (user: GivenUser) => ({ token: user.token, organizationId })
  // More of the audit log than a report reads.
  await database.ownerPool.query(
    `insert into audit_entries (organization_id, id, actor_type, via, action, class)
     select $1, gen_random_uuid(), 'system', 'system', 'x.y', 'update' from generate_series(1, $2::int)`,
    [organizationId, 3_100],
  )
  const made = await ask('POST', '/api/reports', {
    ...as(admin),
    body: {
      name: 'Who may do what',
      kind: 'access-review',
      parameters: {
        period: 'last-30-days',
        timeZone: 'UTC',
        clusterIds: [],
        isCompared: false,
        hiddenSections: [],
      },
      schedule: '0 6 * * 1',
      recipients: [owner.id],
    },
  })
  expect(made.status, made.text).toBe(201)
  const id = String(made.body.id)
  await letBeDue(id)
  await expect.poll(() => mailsTo(owner).length, wide).toBe(1)
  const [mail = ''] = mailsTo(owner)
  expect(mail).toMatch(/^Subject: Who may do what/m)
  expect(mail).toContain('2 members and 0 API keys have access.')
  expect(mail).toMatch(/^Data as of /m)
  expect(mail).toMatch(/^Only the newest [\d,]+ entries of the audit log were read\./m)
  const [, path = '', issue = ''] =
    /https:\/\/bey\.example\/analytics\/reports\/([^?]+)\?issue=(\S+)/.exec(mail) ?? []
  expect(path).toBe(id)
  const file = `/api/reports/${id}/issues/${issue}/file?format=`
  expect((await ask('GET', `${file}pdf`, as(owner))).text.startsWith('%PDF-')).toBe(true)
  expect((await ask('GET', `${file}csv`, as(owner))).text).toContain(owner.email)
  expect(mailsTo(admin)).toEqual([])

  // Its author leaves: nothing is mailed, the reason stands on the report, and the next who saves it takes it over.
  await database.ownerPool.query('delete from memberships where user_id = $1 and organization_id = $2', [
    admin.id,
    organizationId,
  ])
  await letBeDue(id)
  await expect
    .poll(async () => (await ask('GET', `/api/reports/${id}`, as(owner))).body.status, wide)
    .toBe('paused')
  const paused = await ask('GET', `/api/reports/${id}`, as(owner))
  expect(paused.body.note).toMatch(/^Paused: .+ has left the organization/)
  expect(mailsTo(owner)).toHaveLength(1)
  const taken = await ask('PATCH', `/api/reports/${id}`, { ...as(owner), body: { schedule: '0 6 * * 1' } })
  expect(taken.body).toMatchObject({ status: 'scheduled', note: null })
  await letBeDue(id)
  await expect.poll(() => mailsTo(owner).length, wide).toBe(2)
})
