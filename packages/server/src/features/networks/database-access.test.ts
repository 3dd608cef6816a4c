import { appendFile, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'

import { networks } from '../../tables/networks.ts'
import { testApp } from '../../testing/app.ts'
import { databaseApi, query } from '../databases/testing/database-api.ts'
import { readDatabasePeer } from './groups/database-peer.ts'
import { renderGroups } from './groups/render-groups.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const { organizationId } = admin
const { ask, until, embedded } = databaseApi(app, admin)
const { id: databaseId, endpoint, password } = await embedded('orders')
const path = `/api/databases/${databaseId}`
const attachments = [{ kind: 'database', databaseId }]

const own = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address
const from = (host: string) => query({ ...endpoint, host }, password, 'select 1 as one')
const settled = (id: string) =>
  vi.waitFor(async () => expect((await ask('GET', `/api/networks/${id}`)).body.status).toBe('active'), {
    timeout: 60_000,
    interval: 50,
  })

/** Its own list admits the address of this machine, so that the network is what refuses. */
async function listen(): Promise<void> {
  const cidrs = ['203.0.113.0/24', ...(own === undefined ? [] : [own])]
  const started = await ask('POST', `${path}/changes`, {
    allowList: cidrs.map((cidr) => ({ cidr })),
    restart: true,
  })
  expect(started.status, started.text).toBe(202)
  await until(databaseId, { status: 'available' })
}

test.skipIf(own === undefined)(
  'a database of an isolated network is reached from its ranges alone, and from its own list again without it',
  async () => {
    const host = own ?? ''
    await listen()
    expect(await from(host)).toEqual([{ one: 1 }])

    const draft = { cidr: '10.77.0.0/16', isIsolated: true, attachments }
    const plan = await ask('POST', '/api/networks/plan', { ...draft, cidr6: null, subnets: [], sets: [] })
    expect(plan.body.databases, plan.text).toEqual([
      expect.objectContaining({ name: 'orders', to: ['10.77.0.0/16'], listensLater: false }),
    ])
    const made = await ask('POST', '/api/networks', { name: 'shop', ...draft })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body
    await settled(id)
    await expect(from(host)).rejects.toThrow('no pg_hba.conf entry')
    expect(await from('127.0.0.1'), 'the machine itself').toEqual([{ one: 1 }])
    expect((await ask('GET', path)).body.networkAccess).toMatchObject({
      network: 'shop',
      cidrs: ['10.77.0.0/16'],
    })

    // The address of this machine is not private everywhere, so that the endpoint would refuse it as a range.
    await app.database.withTenant(organizationId, (db) =>
      db
        .update(networks)
        .set({ cidr: `${host}/32` })
        .where(eq(networks.id, id)),
    )
    expect((await ask('POST', `/api/networks/${id}/apply`)).status).toBe(202)
    await settled(id)
    expect(await from(host), 'from the range of the network').toEqual([{ one: 1 }])

    // Opened by hand, past Bey: seen at once, shown with what differs, and put right.
    const { rows } = await app.database.ownerPool.query('select dir from databases where id = $1', [
      databaseId,
    ])
    const hba = join(rows[0].dir, 'postgres', 'pg_hba.conf')
    await appendFile(hba, 'host all all 0.0.0.0/0 trust\n')
    await vi.waitFor(
      async () => {
        const { status, reason } = (await ask('GET', `/api/networks/${id}`)).body
        expect(status).toBe('degraded')
        expect(reason).toContain('The pg_hba.conf of orders differs from its definition in Bey.')
      },
      { timeout: 60_000, interval: 50 },
    )
    const [drift] = (await ask('GET', `/api/networks/${id}/policies`)).body.databases
    expect(drift.found).toBe(`${drift.written}host all all 0.0.0.0/0 trust\n`)
    expect((await ask('POST', `/api/networks/${id}/apply`)).status).toBe(202)
    await settled(id)
    expect(await readFile(hba, 'utf8')).toBe(drift.written)
    expect((await ask('GET', `/api/networks/${id}/policies`)).body.databases).toEqual([])

    await ask('POST', `${path}/restart`)
    await until(databaseId, { status: 'available' })
    expect(await from(host), 'after a restart').toEqual([{ one: 1 }])
    await app.database.withTenant(organizationId, (db) =>
      db.update(networks).set({ cidr: '10.77.0.0/16' }).where(eq(networks.id, id)),
    )
    const freed = await ask('PATCH', `/api/networks/${id}`, { attachments: [] })
    expect(freed.status, freed.text).toBe(200)
    await settled(id)
    expect(await from(host), 'by its own list').toEqual([{ one: 1 }])
    expect((await ask('GET', path)).body.networkAccess).toBeNull()
  },
  120_000,
)

test('a rule that names a database opens its port at its addresses, and says where none is known', async () => {
  const gone = await readDatabasePeer(app, organizationId, 1, '0190a000-0000-7000-8000-000000000000')
  expect(gone).toEqual({ problem: expect.stringContaining('is gone') })
  const here = await readDatabasePeer(app, organizationId, 1, databaseId)
  expect(here).toEqual({ problem: expect.stringContaining('No address of the database orders') })
  const peers = [{ ipBlock: { cidr: '10.9.0.7/32' } }]
  const [policy] = renderGroups(
    [
      {
        id: 'a',
        name: 'app',
        filtersIn: false,
        filtersOut: true,
        rules: [
          {
            direction: 'out',
            action: 'allow',
            protocol: 'any',
            ports: [],
            note: '',
            peer: { kind: 'database', databaseId },
          },
        ],
        targets: [{ clusterId: 1, namespace: 'shop', labels: {} }],
      },
    ],
    {
      network: 'net',
      subnets: [],
      sets: [],
      servicesOf: () => ({
        title: 'database orders',
        peers,
        ports: [{ name: 'postgres', port: 5433, protocol: 'TCP', target: 5433 }],
      }),
    },
  )
  expect(policy?.spec['egress']).toEqual([{ ports: [{ port: 5433, protocol: 'TCP' }], to: peers }])
})
