import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'

const database = await testDatabase()
const given = createGiven(database)

test('a transaction sees its own organization only', async () => {
  const mine = await given.cluster()
  const theirs = await given.cluster()
  const seen = await database.withTenant(mine.organizationId, (db) =>
    db.execute(sql`select id from clusters`),
  )
  expect(seen.rows).toEqual([{ id: mine.id }])
  expect(theirs.id).not.toBe(mine.id)
})
