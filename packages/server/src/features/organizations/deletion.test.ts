import { expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { insertBillingRows } from '../../testing/one-row-of-billing.ts'
import { insertUsageSums } from '../../testing/one-row-of-usage.ts'
import { createPurge } from './purge.ts'

const { ask, given, database } = await testApp()
const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const forgotten: string[] = []
const purge = createPurge({
  database,
  log: createLog({ level: 'silent' }),
  forgetRuns: async (ids) => void forgotten.push(...ids),
})
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

test('settings of the organization change, with their differences in the trail', async () => {
  const owner = await given.user()
  const body = { name: 'Engines', timeZone: 'Europe/Vienna', defaultRole: 'VIEWER' }
  const reply = await ask('PATCH', '/api/organization', { ...as(owner), body })
  expect(reply.body).toMatchObject({ ...body, memberCount: 1, ownerCount: 1, deletion: null })
  const wrong = await ask('PATCH', '/api/organization', {
    ...as(owner),
    body: { timeZone: 'Europe/Atlantis' },
  })
  expect(wrong.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'timeZone' }] })
  const { rows } = await database.ownerPool.query(
    `select diff from audit_entries where organization_id = $1 and action = 'organization.update'`,
    [owner.organizationId],
  )
  expect(rows).toMatchObject([{ diff: { timeZone: { from: 'UTC', to: 'Europe/Vienna' } } }])
})

test('an organization with clusters is not deleted, and says what to do first', async () => {
  const owner = await given.user()
  await given.cluster({ organizationId: owner.organizationId, status: 'RUNNING' })
  const impact = await ask('GET', '/api/organization/impact', as(owner))
  expect(impact.body.obstacles).toEqual([
    '1 cluster still belongs to this organization. Delete or disconnect it first, so that nothing runs on without an owner.',
  ])
  const reply = await ask('DELETE', '/api/organization', as(owner))
  expect([reply.status, reply.body.code]).toEqual([409, 'conflict'])
})

test('while it waits to be deleted an organization can be read only, and an owner undoes it', async () => {
  const owner = await given.user()
  const admin = await given.user({ organizationId: owner.organizationId, role: 'ADMIN' })
  expect((await ask('DELETE', '/api/organization', as(admin))).status).toBe(403)
  const newKey = { name: 'deploy', isPersonal: false, permissions: ['secrets.create'] }
  const key = await ask('POST', '/api/api-keys', { ...as(owner), body: newKey })
  const reply = await ask('DELETE', '/api/organization', as(owner))
  expect(reply.status).toBe(202)
  const { deletesAt } = reply.body.deletion
  expect(Date.parse(deletesAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  const me = await ask('GET', '/api/auth/me', { token: admin.token })
  expect(me.body.organizations[0].deletesAt).toBe(deletesAt)
  const secret = { name: 's', value: 'v' }
  const refused = await ask('POST', '/api/secrets', { ...as(admin), body: secret })
  expect([refused.status, refused.body.code]).toEqual([409, 'organization_deleting'])
  const byKey = await ask('POST', '/api/secrets', { token: key.body.token, body: secret })
  expect([byKey.status, byKey.body.code]).toEqual([409, 'organization_deleting'])
  expect((await ask('GET', '/api/secrets', as(admin))).status).toBe(200)
  await purge(inDays(6.9))
  expect((await ask('POST', '/api/organization/restore', as(admin))).status).toBe(403)
  const restored = await ask('POST', '/api/organization/restore', as(owner))
  expect(restored.body.deletion).toBeNull()
  await purge(inDays(8))
  expect((await ask('POST', '/api/secrets', { ...as(admin), body: secret })).status).toBe(201)
})

test('after seven days every row of it is gone, save the audit trail, and no other organization loses any', async () => {
  const owner = await given.user()
  const other = await given.user()
  const { organizationId } = owner
  for (const each of [owner, other]) {
    await ask('POST', '/api/secrets', { ...as(each), body: { name: 'db', value: 'v' } })
    const step = await given.step({ organizationId: each.organizationId })
    await given.logs({ ...step, organizationId: each.organizationId }, ['begun'])
    await given.annotation({ organizationId: each.organizationId })
    await insertUsageSums(database, each.organizationId)
    await database.withTenant(each.organizationId, (db) => insertBillingRows(db, each.organizationId))
  }
  await ask('POST', '/api/invitations', {
    ...as(owner),
    body: { emails: ['guest@example.com'], role: 'VIEWER' },
  })
  await ask('DELETE', '/api/organization', as(owner))
  const before = await rowsOf(other.organizationId)
  await purge(inDays(8))

  const left = await rowsOf(organizationId)
  expect(Object.keys(left).filter((table) => !table.startsWith('audit_'))).toEqual([])
  expect(left['audit_entries']).toBeGreaterThan(0)
  // Rows of its audit trail are linked meanwhile, which adds some.
  const after = await rowsOf(other.organizationId)
  expect(Object.entries(before).filter(([table, count]) => (after[table] ?? 0) < count)).toEqual([])
  expect(forgotten).toHaveLength(1)
  const me = await ask('GET', '/api/auth/me', { token: owner.token })
  expect(me.body).toMatchObject({ organizations: [], active_organization_id: null })
})

/** Counts of rows by table, of all tables that name an organization; those without any left out. */
async function rowsOf(organizationId: number): Promise<Record<string, number>> {
  const { rows: tables } = await database.ownerPool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('audit_links', 'audit_pending', 'audit_heads', 'usage_pending')`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from "${name}" where organization_id = $1`,
      [organizationId],
    )
    if (rows[0]?.count) counts[name] = rows[0].count
  }
  return counts
}
