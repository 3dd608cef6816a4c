import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { testApp } from '../../testing/app.ts'

const database = await testDatabase()
const given = createGiven(database)
const app = await testApp({ databaseUrl: database.url })
afterAll(() => app.stop())

type Row = {
  action: string
  outcome: string
  actor_id: string
  target_name: string
  ip: string
  diff: object
}

test('what a role, a rule or a policy refuses is in the log with who, from where, what and how often', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  const as = { token: viewer.token, organizationId }
  for (let time = 1; time <= 3; time += 1) {
    const body = { title: 'x', provider: 'sandbox' }
    expect((await app.ask('POST', '/api/kubernetes/clusters', { ...as, body })).status).toBe(403)
  }
  expect((await app.ask('GET', '/api/audit', as)).status).toBe(403)
  const channel = { owner: 'organization', name: 'x', kind: 'webhook', url: 'http://127.0.0.1:9/' }
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const asMember = { token: member.token, organizationId, body: channel }
  expect((await app.ask('POST', '/api/notification-channels', asMember)).status).toBe(403)
  const inward = { ...channel, owner: 'mine', url: 'http://[::ffff:169.254.169.254]/latest' }
  const posted = await app.ask('POST', '/api/notification-channels', { ...asMember, body: inward })
  expect(posted.body.code).toBe('conflict')
  const hook = { name: 'x', url: 'http://169.254.169.254/', events: ['run.updated'] }
  const asOwner = { token: owner.token, organizationId, body: hook }
  expect((await app.ask('POST', '/api/webhooks', asOwner)).body.code).toBe('invalid_request')
  // Stopping writes what was counted until then.
  await app.stop()
  const { rows } = await database.ownerPool.query<Row>(
    `select action, outcome, actor_id, target_name, ip, diff from audit_entries
     where organization_id = $1 and outcome = 'denied' order by seq`,
    [organizationId],
  )
  const refused = { action: 'access.refuse', outcome: 'denied', ip: '127.0.0.1' }
  expect(rows).toMatchObject([
    {
      ...refused,
      actor_id: String(viewer.id),
      target_name: 'POST /api/kubernetes/clusters',
      diff: { role: 'VIEWER', permission: 'clusters.create', times: 3 },
    },
    { ...refused, actor_id: String(viewer.id), target_name: 'GET /api/audit', diff: { times: 1 } },
    {
      ...refused,
      actor_id: String(member.id),
      target_name: 'POST /api/notification-channels',
      diff: { reason: expect.stringContaining('adds a channel of the organization') },
    },
    { action: 'address.refuse', actor_id: String(member.id), target_name: '[::ffff:a9fe:a9fe]' },
    { action: 'address.refuse', actor_id: String(owner.id), target_name: '169.254.169.254' },
  ])
})
