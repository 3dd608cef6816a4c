import { expect, test } from 'vitest'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { networkAttachments, networks, securityGroups } from '../../tables/networks.ts'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const viewer = await app.given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const cluster = await app.given.cluster({ organizationId })

async function network(name: string, namespaces: string[], deletedAt: Date | null = null): Promise<string> {
  const id = uuidv7()
  // Nobody compares it with its clusters meanwhile.
  const checkAt = new Date(Date.now() + 3_600_000)
  await app.database.withTenant(organizationId, async (db) => {
    await db
      .insert(networks)
      .values({ id, organizationId, name, cidr: '10.1.0.0/16', status: 'active', checkAt, deletedAt })
    for (const namespace of namespaces) {
      await db
        .insert(networkAttachments)
        .values({ id: uuidv7(), organizationId, networkId: id, clusterId: cluster.id, namespace })
    }
  })
  return id
}
const ask = (query: string, user = viewer) =>
  app.ask('GET', `/api/networks/memberships?${query}`, {
    token: user.token,
    organizationId: user.organizationId,
  })

test('a cluster names its networks with their namespaces and groups, and a namespace its own', async () => {
  const shop = await network('shop', ['web', 'api'])
  const data = await network('data', ['orders'])
  await network('gone', ['old'], new Date())
  const target = (namespace: string, clusterId = cluster.id) => ({ clusterId, namespace, labels: {} })
  const groupId = uuidv7()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(securityGroups).values({
      id: groupId,
      organizationId,
      networkId: shop,
      name: 'front',
      filtersIn: true,
      filtersOut: false,
      rules: [],
      targets: [target('web'), target('web'), target('web', cluster.id + 1)],
    }),
  )
  const cidr = '10.1.0.0/16'
  expect((await ask(`clusterId=${cluster.id}`)).body).toEqual({
    memberships: [
      { networkId: data, name: 'data', cidr, namespaces: ['orders'], groups: [] },
      {
        networkId: shop,
        name: 'shop',
        cidr,
        namespaces: ['api', 'web'],
        groups: [{ id: groupId, name: 'front', targets: 2 }],
      },
    ],
  })
  const ofNamespace = await ask(`clusterId=${cluster.id}&namespace=api`)
  expect(ofNamespace.body.memberships).toEqual([
    { networkId: shop, name: 'shop', cidr, namespaces: ['api'], groups: [] },
  ])
  const stranger = await app.given.user()
  expect((await ask(`clusterId=${cluster.id}`, stranger)).body).toEqual({ memberships: [] })
  expect((await ask('')).status).toBe(400)
  expect((await ask(`clusterId=1&databaseId=${shop}`)).status).toBe(400)
})
