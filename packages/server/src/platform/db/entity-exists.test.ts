import { entityTypes } from '@bey/contract'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import { entityExists, firstMissing, followRule } from './entity-exists.ts'

const database = await testDatabase()
const given = createGiven(database)

test('each type is looked for in its own table, by an id of its own kind', async () => {
  const { id: organizationId } = await given.organization()
  for (const type of entityTypes) {
    for (const id of ['7', uuidv7(), 'x', "1' or true"]) {
      const found = await database.withTenant(organizationId, (db) =>
        entityExists(db, organizationId, { type, id }),
      )
      expect(found, `${type} ${id}`).toBe(false)
    }
  }
})

test('what an organization has can be followed there and nowhere else, until it is deleted', async () => {
  const canFollow = followRule(database)
  const { id: organizationId } = await given.organization()
  const { id: elsewhere } = await given.organization()
  const cluster = await given.cluster({ organizationId })
  const gone = await given.cluster({ organizationId, deletedAt: new Date() })
  const workflow = await given.workflow({ organizationId })
  expect(await canFollow(organizationId, { kind: 'cluster', clusterId: cluster.id })).toBe(true)
  expect(await canFollow(organizationId, { kind: 'workflow', workflowId: workflow.id })).toBe(true)
  expect(await canFollow(elsewhere, { kind: 'cluster_metrics', clusterId: cluster.id })).toBe(false)
  expect(await canFollow(elsewhere, { kind: 'workflow', workflowId: workflow.id })).toBe(false)
  expect(await canFollow(organizationId, { kind: 'cluster', clusterId: gone.id })).toBe(false)
  expect(await canFollow(organizationId, { kind: 'workflows' })).toBe(true)
})

test('of several things the first is named that the organization never had', async () => {
  const { id: organizationId } = await given.organization()
  const cluster = await given.cluster({ organizationId })
  const gone = await given.cluster({ organizationId, deletedAt: new Date() })
  const foreign = await given.cluster()
  const missing = (...ids: (number | string)[]) =>
    database.withTenant(organizationId, (db) => firstMissing(db, organizationId, 'cluster', ids.map(String)))
  expect(await missing(cluster.id, gone.id)).toBeUndefined()
  expect(await missing(cluster.id, foreign.id, 7_000_000)).toBe(String(foreign.id))
  expect(await missing(cluster.id, "1' or true", foreign.id)).toBe("1' or true")
})
