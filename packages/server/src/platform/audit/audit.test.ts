import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { audit, type AuditEntry, verifyAudit } from './audit.ts'

const database = await testDatabase()
const given = createGiven(database)

const entry = (organizationId: number, action = 'cluster.create'): AuditEntry => ({
  organizationId,
  actor: { type: 'user', id: 7, display: 'ada@example.com' },
  via: 'console',
  action,
  class: 'create',
  target: { type: 'cluster', id: 12, name: 'blue' },
  diff: { title: [null, 'blue'], count: 3, at: null },
})

async function chainOf(length: number): Promise<number> {
  const { id } = await given.organization()
  for (let n = 1; n <= length; n += 1) {
    await database.withTenant(id, (db) => audit(db, entry(id, `step.${n}`)))
  }
  return id
}

const verdict = (organizationId: number) =>
  database.readTenant(organizationId, (db) => verifyAudit(db, organizationId))

/** What only the owner of the table can do, after switching the guards off. */
async function tamper(statement: string, organizationId: number): Promise<void> {
  const client = await database.ownerPool.connect()
  try {
    await client.query('begin; alter table audit_entries disable trigger user')
    await client.query(statement, [organizationId])
    await client.query('alter table audit_entries enable trigger user; commit')
  } finally {
    client.release()
  }
}

test('entries are numbered without gaps, and a whole chain is intact', async () => {
  const id = await chainOf(5)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 5 })
  const { rows } = await database.ownerPool.query(
    'select seq::int, length(hash) as bytes from audit_entries where organization_id = $1 order by seq',
    [id],
  )
  expect(rows).toEqual([1, 2, 3, 4, 5].map((seq) => ({ seq, bytes: 32 })))
})

test('an organization without entries is intact', async () => {
  const { id } = await given.organization()
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 0 })
})

test('an entry of a transaction that fails is not there, and its number is used again', async () => {
  const id = await chainOf(1)
  const failing = database.withTenant(id, async (db) => {
    await audit(db, entry(id))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await database.withTenant(id, (db) => audit(db, entry(id)))
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 2 })
})

test('entries written at the same time queue up in one chain', async () => {
  const { id } = await given.organization()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      database.withTenant(id, (db) => audit(db, entry(id, `parallel.${n}`))),
    ),
  )
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 20 })
})

test('what an insert says about its place in the chain is ignored', async () => {
  const id = await chainOf(1)
  await database.withTenant(id, (db) =>
    db.execute(sql`insert into audit_entries (organization_id, id, seq, prev_hash, hash, actor_type, via, action, class)
      values (${id}, gen_random_uuid(), 99, '\\x00', '\\x00', 'user', 'api', 'forged', 'create')`),
  )
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 2 })
})

test.each([
  ['the application role', () => database.pool],
  ['the owner', () => database.ownerPool],
])('%s can neither change, delete nor empty the trail', async (_who, poolOf) => {
  const id = await chainOf(1)
  for (const statement of [
    `update audit_entries set action = 'x'`,
    'delete from audit_entries',
    'truncate audit_entries',
  ]) {
    await expect(poolOf().query(statement)).rejects.toMatchObject({ code: '42501' })
  }
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 1 })
})

test('the application role cannot write the end of the chain', async () => {
  const id = await chainOf(1)
  for (const statement of [sql`update audit_heads set seq = 0`, sql`delete from audit_heads`]) {
    const attempt = database.withTenant(id, (db) => db.execute(statement))
    await expect(attempt).rejects.toMatchObject({ cause: { code: '42501' } })
  }
})

test.each([
  ['edited', `update audit_entries set action = 'x' where organization_id = $1 and seq = 3`, 3],
  [
    'given another actor',
    `update audit_entries set actor_id = null where organization_id = $1 and seq = 1`,
    1,
  ],
  ['given another diff', `update audit_entries set diff = '{}' where organization_id = $1 and seq = 2`, 2],
  ['deleted', `delete from audit_entries where organization_id = $1 and seq = 2`, 2],
  ['deleted at the start', `delete from audit_entries where organization_id = $1 and seq = 1`, 1],
  ['cut off the end', `delete from audit_entries where organization_id = $1 and seq >= 4`, 4],
  ['all deleted', `delete from audit_entries where organization_id = $1`, 1],
  [
    'swapped',
    `update audit_entries set seq = case seq when 2 then -3 else -2 end
     where organization_id = $1 and seq in (2, 3)`,
    1,
  ],
])('a trail with an entry %s is found out', async (_how, statement, seq) => {
  const id = await chainOf(5)
  await tamper(statement, id)
  expect(await verdict(id)).toMatchObject({ isIntact: false, seq, problem: expect.any(String) })
})

test('a chain rewritten consistently up to its end does not fit the noted end', async () => {
  const id = await chainOf(3)
  await tamper(`update audit_entries set action = 'x' where organization_id = $1 and seq = 3`, id)
  await tamper(`update audit_entries e set hash = audit_hash(e) where organization_id = $1 and seq = 3`, id)
  expect(await verdict(id)).toMatchObject({ isIntact: false, seq: 4 })
})
