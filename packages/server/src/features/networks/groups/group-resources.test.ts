import { objectResourceId } from '@bey/contract'
import type { SecurityRule } from '@bey/contract/networks/security-group-rules'
import { expect, test } from 'vitest'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { networks, securityGroups } from '../../../tables/networks.ts'
import { testApp } from '../../../testing/app.ts'
import { groupRelations } from './group-resources.ts'

const { given, ask, database } = await testApp()

async function world() {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId, token } = owner
  const networkId = uuidv7()
  const [web, data] = [uuidv7(), uuidv7()]
  const databaseId = uuidv7()
  await database.withTenant(organizationId, async (db) => {
    await db.insert(networks).values({
      id: networkId,
      organizationId,
      name: 'shop',
      cidr: '10.1.0.0/16',
      subnets: [],
      status: 'active',
    })
    const group = { organizationId, networkId, filtersIn: true, filtersOut: false, createdBy: owner.id }
    const rule: Omit<SecurityRule, 'peer'> = {
      direction: 'in',
      action: 'allow',
      protocol: 'tcp',
      ports: [],
      note: '',
    }
    const labels = { app: 'db', tier: 'data' }
    await db.insert(securityGroups).values([
      {
        ...group,
        id: web,
        name: 'web',
        rules: [],
        targets: [{ clusterId: 3, namespace: 'web', labels: {} }],
      },
      {
        ...group,
        id: data,
        name: 'data',
        targets: [{ clusterId: 3, namespace: 'data', labels }],
        rules: [
          { ...rule, peer: { kind: 'group', groupId: web } },
          { ...rule, peer: { kind: 'namespace', namespace: 'jobs' } },
          { ...rule, peer: { kind: 'service', namespace: 'jobs', name: 'api' } },
          { ...rule, peer: { kind: 'workload', namespace: 'jobs', labels: { app: 'job' } } },
          { ...rule, peer: { kind: 'database', databaseId } },
          { ...rule, peer: { kind: 'range', cidr: '10.0.0.0/8' } },
          { ...rule, action: 'deny', peer: { kind: 'namespace', namespace: 'guests' } },
        ],
      },
    ])
  })
  return {
    owner,
    organizationId,
    token,
    networkId,
    web,
    data,
    databaseId,
    labels: { app: 'db', tier: 'data' },
  }
}

test('security groups are listed with the page of each, and only to who may read networks', async () => {
  const { token, organizationId, networkId, data } = await world()
  const path = '/api/resources?query=kind:security-group&sort=name'
  const { body } = await ask('GET', path, { token, organizationId })
  expect(body.resources.map(({ name }: { name: string }) => name)).toEqual(['data', 'web'])
  expect(body.resources[0]).toMatchObject({
    id: `security-group:${data}`,
    health: null,
    href: `/networking/${networkId}/groups/${data}`,
  })
  const one = await ask('GET', `/api/resources/security-group:${data}`, { token, organizationId })
  expect(one.body).toMatchObject({ kind: 'security-group', name: 'data' })
  const tagged = await ask('POST', '/api/resources/tags', {
    token,
    organizationId,
    body: { ids: [`security-group:${data}`], add: ['team=shop'] },
  })
  expect(tagged.body).toEqual({ changed: 1 })
  const stranger = await given.user({ role: 'OWNER' })
  expect(
    (await ask('GET', path, { token: stranger.token, organizationId: stranger.organizationId })).body.total,
  ).toBe(0)
})

test('a group is part of its network, governs what it is put on, and leads to what its rules allow', async () => {
  const { owner, organizationId, networkId, web, data, databaseId, labels } = await world()
  const role = { organizationId, userId: owner.id, role: 'OWNER' } as const
  const { relations, labelled } = await groupRelations({ database }).list(role)
  const object = (kind: string, namespace: string, name: string) =>
    objectResourceId({ kind, clusterId: 3, namespace, name })
  const [ofWeb, ofData] = [`security-group:${web}`, `security-group:${data}`]
  expect(new Set(relations)).toEqual(
    new Set([
      { from: ofWeb, to: `network:${networkId}`, verb: 'belongs_to' },
      { from: ofData, to: `network:${networkId}`, verb: 'belongs_to' },
      { from: object('namespace', '', 'web'), to: ofWeb, verb: 'allowed_by' },
      { from: ofData, to: ofWeb, verb: 'allows' },
      { from: ofData, to: object('namespace', '', 'jobs'), verb: 'allows' },
      { from: ofData, to: object('service', 'jobs', 'api'), verb: 'allows' },
      { from: ofData, to: `database:${databaseId}`, verb: 'allows' },
    ]),
  )
  expect(labelled).toEqual([
    { kind: 'pod', clusterId: 3, namespace: 'data', labels, to: ofData, verb: 'allowed_by' },
    { kind: 'pod', clusterId: 3, namespace: 'jobs', labels: { app: 'job' }, from: ofData, verb: 'allows' },
  ])
})
