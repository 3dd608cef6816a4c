import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { runningPid } from '../../providers/sandbox/child.ts'
import { filesOf } from '../../providers/sandbox/directory-and-port.ts'
import { issueTicket } from '../auth/tickets.ts'

const app = await testApp({ sandboxBudgetMib: 4 * 512 })
const { ask, given, database } = app
const patience = { timeout: 60_000, interval: 250 }

/** What is measured of the server itself, and calls of the owner's own organization that are metered, go on meanwhile. */
const metricTables = [
  'usage_cost_days',
  'usage_costs',
  'usage_days',
  'usage_events',
  'usage_hours',
  'usage_pending',
  'usage_settings',
  'usage_subjects',
  'metric_hours',
  'metric_minutes',
  'metric_samples',
  'metric_series',
  'metric_pending',
  'metric_quotas',
]

/** Rows of every other table, so that what a demo leaves behind is found whatever table it is in. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
     and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    // What the server measures of itself, and its own certificates, whoever it serves.
    if ([...metricTables, 'instance_samples', 'server_keys'].includes(name)) continue
    const counted = await database.ownerPool.query<{ n: number }>(`select count(*)::int as n from "${name}"`)
    counts[name] = counted.rows[0]?.n ?? 0
  }
  return counts
}

test(
  'a demo is made at once, shows its incident, sleeps when it is not used, and is removed without a row or file left',
  { timeout: 300_000 },
  async () => {
    const owner = await given.user()
    const other = await given.user()
    const before = await countRows()

    const madeAt = new Date()
    const made = await ask('POST', '/api/demo', { token: owner.token })
    expect(made.status, made.text).toBe(201)
    const { organization } = made.body
    expect(organization).toMatchObject({ name: 'Ostwind, demo', role: 'OWNER' })
    const as = { token: owner.token, organizationId: organization.id as number }
    const me = await ask('GET', '/api/auth/me', { token: owner.token })
    expect(me.body.active_organization_id).toBe(organization.id)
    expect(me.body.organizations.at(-1)).toMatchObject({ demoEndsAt: organization.demoEndsAt })

    const twice = await ask('POST', '/api/demo', { token: owner.token })
    expect([twice.status, twice.body.code]).toEqual([422, 'limit_reached'])
    const noRoom = await ask('POST', '/api/demo', { token: other.token })
    expect(noRoom.body.detail).toMatch(
      /A demo needs 3 sandboxes, and this machine has memory for (no|1) more/,
    )

    const members = await ask('GET', '/api/members', as)
    expect(members.body.total).toBe(6)
    expect(members.body.members.map(({ name }: { name: string }) => name)).toContain('Teo Marsh')

    const demo = async () => (await ask('GET', '/api/demo', as)).body
    await vi.waitFor(async () => {
      const { clusters } = await demo()
      expect(clusters.map((each: { isReady: boolean }) => each.isReady)).toEqual([true, true, true])
    }, patience)
    const { incidentClusterId } = await demo()
    await vi.waitFor(async () => {
      const { body } = await ask('GET', '/api/analytics/dashboard', as)
      const failing = body.attention.items.filter(
        ({ health }: { health: { state: string } }) => health.state === 'failing',
      )
      expect(failing.map(({ name }: { name: string }) => name).toSorted()).toEqual([
        'recommend',
        'search',
        'suggest',
      ])
      expect(
        failing.every((item: { cluster: { id: number } }) => item.cluster.id === incidentClusterId),
      ).toBe(true)
      expect(body.clusterRows.map(({ title }: { title: string }) => title).toSorted()).toEqual([
        'prod-eu',
        'prod-us',
        'staging',
      ])
    }, patience)

    // The trail is seeded, says so, and its chain is whole.
    await ask('POST', '/api/audit/verify', as)
    await vi.waitFor(async () => {
      const { body } = await ask('GET', '/api/audit/verification', as)
      expect(body).toMatchObject({ state: 'intact' })
    }, patience)
    const { rows: acts } = await database.ownerPool.query(
      `select count(*)::int as all, count(*) filter (where diff ->> 'seeded' = 'true')::int as seeded
     from audit_entries where organization_id = $1 and at < $2`,
      [organization.id, madeAt],
    )
    expect(acts[0].seeded).toBe(acts[0].all)
    expect(acts[0].seeded).toBeGreaterThan(20)

    // What a team has beside clusters: its secrets, workflows and keys, and a run that waits for a decision.
    const totals: [path: string, total: number][] = [
      // Thirty of the team, and the password of the database.
      ['/api/secrets', 31],
      ['/api/databases', 1],
      ['/api/networks', 2],
      ['/api/boards', 2],
      ['/api/alerts', 3],
      ['/api/reports', 4],
      ['/api/webhooks', 2],
      ['/api/api-keys', 3],
    ]
    for (const [path, total] of totals) expect((await ask('GET', path, as)).body.total, path).toBe(total)
    const [hook] = (await ask('GET', '/api/webhooks', as)).body.webhooks
    const { deliveries } = (await ask('GET', `/api/webhooks/${hook.id}/deliveries`, as)).body
    const times = deliveries.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times, 'newest first').toEqual(times.toSorted().toReversed())
    await vi.waitFor(async () => {
      const { body } = await ask('GET', '/api/v1/workflows/runs?status=waiting', as)
      expect(body.runs.map(({ workflow_name: name }: { workflow_name: string }) => name)).toEqual([
        'Deploy with approval',
      ])
    }, patience)
    // Two months of usage: a budget near its threshold, and a load test that explains the dear day.
    const spend = await ask('GET', '/api/billing/spend?by=cluster', as)
    expect(spend.body).toMatchObject({ isSeeded: true, prices: { isExample: false } })
    expect(spend.body.rows.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual([
      'prod-us',
      'prod-eu',
      'staging',
    ])
    const { rows: unmarked } = await database.ownerPool.query(
      `select distinct meter from usage_events where organization_id = $1 and not is_seeded and at < $2`,
      [organization.id, madeAt],
    )
    expect(unmarked).toEqual([])
    const { body: budgets } = await ask('GET', '/api/billing/budgets', as)
    expect(budgets.budgets[0].percent).toBeGreaterThan(60)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const dear = await ask('GET', `/api/billing/spend?month=${yesterday.slice(0, 7)}`, as)
    expect(dear.body.anomalies.at(-1)).toMatchObject({
      date: yesterday,
      text: expect.stringMatching(/% more than usual, because staging grew from 4\.0 to 10\.4 nodes\.$/),
      causes: [{ act: { by: { name: 'Noor Haddad' }, text: 'scaled a cluster' } }],
    })
    const path = `/api/kubernetes/clusters/${incidentClusterId}`
    const history = await ask('GET', `${path}/history/deployments.apps/catalog/search`, as)
    // The recorder may look before the past is there, and then finds what there is.
    const versions = history.body.versions.filter(({ change }: { change: string }) => change !== 'found')
    expect(versions.map(({ change }: { change: string }) => change)).toEqual([
      'updated',
      'updated',
      'created',
    ])
    expect(versions[0].by).toMatch(/^Teo Marsh/)
    const past = await ask(
      'GET',
      `/api/metrics/cluster?ids=${incidentClusterId}&metrics=cpu_used_millicores&range=${13 * 86_400}`,
      as,
    )
    const values = past.body.series[0].averages as (number | null)[]
    expect(values.filter((value) => value === null).length).toBeLessThan(values.length / 10)

    // What goes on beside the clusters: a database under load with a backup, policies in force, an alert that fires.
    const shopDatabase = async () => (await ask('GET', '/api/databases', as)).body.databases[0]
    await vi.waitFor(async () => {
      const { id, status, figures } = await shopDatabase()
      expect(status).toBe('available')
      expect(figures.statementsPerSecond ?? figures.transactionsPerSecond).toBeGreaterThan(0)
      const backups = await ask('GET', `/api/databases/${id}/backups`, as)
      expect(backups.body.backups).toMatchObject([{ status: 'completed' }])
      const { body } = await ask('GET', '/api/networks', as)
      const states = body.networks.map(({ name, status, reason }: Record<string, unknown>) => [
        name,
        status,
        reason,
      ])
      expect(states.toSorted()).toEqual([
        ['payments', 'active', null],
        ['staging', 'active', null],
      ])
      const alerts = await ask('GET', '/api/alerts', as)
      expect(alerts.body.alerts.find((each: { name: string }) => each.name === 'Pods fail').state).toBe(
        'firing',
      )
    }, patience)

    // Reports are issued by the engine, and say what it read.
    const reports = async () => (await ask('GET', '/api/reports', as)).body.reports
    const sooner = 'update reports set next_at = now() where organization_id = $1 and next_at > now()'
    await database.ownerPool.query(sooner, [organization.id])
    await vi.waitFor(async () => {
      for (const { name, issues } of await reports()) expect(issues.length, name).toBeGreaterThan(0)
    }, patience)
    for (const { id, name, issues } of await reports()) {
      const { body } = await ask('GET', `/api/reports/${id}/issues/${issues[0].id}`, as)
      expect(body.paper.unread, name).toEqual([])
    }

    // Unwatched for long enough, everything of it stops; a look wakes it.
    const sandboxDirs = join(app.dataDir, 'sandboxes')
    const processes = async () => {
      const entries = await readdir(sandboxDirs, { withFileTypes: true })
      const dirs = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []))
      const pids = await Promise.all(dirs.map((dir) => runningPid(filesOf(join(sandboxDirs, dir)))))
      return pids.filter((pid) => pid !== undefined).length
    }
    expect(await processes()).toBe(3)
    await database.ownerPool.query(
      `update demos set seen_at = now() - interval '11 minutes', asleep_since = now() - interval '1 minute'
       where organization_id = $1`,
      [organization.id],
    )
    await vi.waitFor(async () => {
      expect(await processes()).toBe(0)
      expect((await shopDatabase()).status).toBe('hibernated')
    }, patience)
    await demo()
    await vi.waitFor(async () => {
      expect(await processes()).toBe(3)
      expect((await shopDatabase()).status).toBe('available')
      expect((await demo()).clusters.every((each: { isReady: boolean }) => each.isReady)).toBe(true)
    }, patience)

    // The history of the incident's cluster agrees with the incident: healthy before it, failing since.
    const health = await ask(
      'GET',
      `/api/metrics/cluster?ids=${incidentClusterId}&metrics=pods_by_health&labels=${encodeURIComponent('health=failing')}&range=3600&include=maxima`,
      as,
    )
    expect(health.status, health.text).toBe(200)
    const counts = (health.body.series[0].maxima as (number | null)[]).filter((count) => count !== null)
    expect([counts[0], Math.max(...counts)]).toEqual([0, 6])

    const refused = await ask('DELETE', '/api/demo', {
      token: owner.token,
      organizationId: owner.organizationId,
    })
    expect(refused.status).toBe(404)
    const removed = await ask('DELETE', '/api/demo', as)
    expect(removed.status, removed.text).toBe(204)
    expect(await countRows()).toEqual(before)
    for (const name of metricTables) {
      const { rows } = await database.ownerPool.query(
        `select 1 from ${name} where organization_id = $1 limit 1`,
        [organization.id],
      )
      expect(rows, name).toEqual([])
    }
    for (const name of ['sandboxes', 'databases', 'backups/databases']) {
      const left = join(app.dataDir, name)
      expect(existsSync(left) ? await readdir(left) : [], name).toEqual([])
    }
  },
)

test('the visitor of a printed address enters once, without an account, and goes with the demo', async () => {
  const before = await countRows()
  const ticket = async () =>
    (
      await database.asSystem('test', (db) =>
        issueTicket(db, 'demo', { userId: null, data: {}, now: new Date() }),
      )
    ).token
  const visit = async (body: object, headers: Record<string, string> = {}) =>
    ask('POST', '/api/demo/visit', { body, headers })
  const first = await ticket()
  // A page whose name was pointed at this machine, and a guess.
  const elsewhere = await visit({ ticket: first }, { 'x-forwarded-host': 'rebound.example' })
  expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'forbidden'])
  expect((await visit({ ticket: 'bey_ticket_guess' })).body.code).toBe('ticket_expired')

  // Clicked three times at once, and the address of a second start with it: one visitor, one demo.
  const second = await ticket()
  const clicks = [first, first, second, first]
  const replies = await Promise.all(clicks.map((each) => visit({ ticket: each })))
  const entered = replies.filter(({ status }) => status === 200)
  expect(entered.map(({ body }) => body.user.id)).toEqual([
    entered[0]?.body.user.id,
    entered[0]?.body.user.id,
  ])
  expect(replies.flatMap(({ body }) => body.code ?? [])).toEqual(['ticket_expired', 'ticket_expired'])
  const { token, user } = entered[0]!.body
  expect(user.organizations).toMatchObject([{ name: 'Ostwind, demo', role: 'OWNER' }])
  expect((await visit({ ticket: first })).body.code).toBe('ticket_expired')
  const again = await visit({ ticket: await ticket() })
  expect(again.body.user).toMatchObject({ id: user.id, organizations: [{ id: user.organizations[0].id }] })

  const as = { token, organizationId: user.organizations[0].id as number }
  const removed = await ask('DELETE', '/api/demo', as)
  expect(removed.status, removed.text).toBe(204)
  expect((await ask('GET', '/api/auth/me', { token })).status).toBe(401)
  expect(await countRows()).toEqual(before)
})

test('the trail of an organization that is no demo stays, whatever is asked of it', async () => {
  const { organizationId } = await given.user()
  await database.ownerPool.query(
    `insert into audit_entries (organization_id, id, actor_type, via, action, class) values ($1, gen_random_uuid(), 'system', 'system', 'x.y', 'update')`,
    [organizationId],
  )
  await expect(
    database.ownerPool.query('delete from audit_entries where organization_id = $1', [organizationId]),
  ).rejects.toThrow(/append-only/)
})
