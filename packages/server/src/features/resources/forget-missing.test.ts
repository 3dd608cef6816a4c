import { expect, test } from 'vitest'
import type { Resource } from '../../platform/inventory.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { forgetMissing, missingKeptDays } from './forget-missing.ts'
import type { Inventory } from './inventory.ts'

const database = await testDatabase()
const given = createGiven(database)
const { organizationId } = await given.user()
const dayMs = 86_400_000
const start = new Date('2026-11-01T00:00:00Z')
const daysLater = (days: number) => new Date(start.getTime() + days * dayMs)

const inventory = (ids: readonly string[], gaps: Inventory['gaps'] = []): Inventory => ({
  // Nothing but the id is read.
  resources: ids.map((id) => ({ id }) as Resource),
  gaps,
  taggings: new Map(),
  former: new Set(),
})
const sweepWith = (found: Inventory, at: Date) => forgetMissing(database, async () => found)(at)
const kept = async () => {
  const { rows } = await database.ownerPool.query<{ id: string; missing: boolean }>(
    `select resource_id as id, missing_since is not null as missing from resource_tags
     where organization_id = $1 order by 1`,
    [organizationId],
  )
  return rows.map(({ id, missing }) => `${id}${missing ? ' missing' : ''}`)
}

test('tags of a resource that is gone are kept 30 days, unless it comes back or cannot be looked for', async () => {
  for (const id of ['pod:back', 'pod:gone', 'pod:there']) {
    await database.ownerPool.query(
      `insert into resource_tags (organization_id, resource_id, tags) values ($1, $2, '{blue}')`,
      [organizationId, id],
    )
  }
  const gap = { source: 'prod', reason: 'It does not answer.', since: null }
  await sweepWith(inventory([], [gap]), start)
  expect(await kept()).toEqual(['pod:back', 'pod:gone', 'pod:there'])

  await sweepWith(inventory(['pod:there']), start)
  expect(await kept()).toEqual(['pod:back missing', 'pod:gone missing', 'pod:there'])
  await sweepWith(inventory(['pod:there', 'pod:back']), daysLater(1))
  expect(await kept()).toEqual(['pod:back', 'pod:gone missing', 'pod:there'])

  await sweepWith(inventory(['pod:there', 'pod:back']), daysLater(missingKeptDays))
  expect(await kept()).toContain('pod:gone missing')
  await sweepWith(inventory(['pod:there', 'pod:back']), daysLater(missingKeptDays + 1))
  expect(await kept()).toEqual(['pod:back', 'pod:there'])
})
