import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { audit, auditRow, type AuditEntry } from './audit.ts'
import { createAuditBatch } from './batch.ts'
import { linkAudit } from './linker.ts'
import { verifyAudit } from './verify.ts'

const database = await testDatabase()
const given = createGiven(database)

const entry = (organizationId: number, action = 'cluster.create'): AuditEntry => ({
  organizationId,
  actor: { type: 'user', id: 7, name: 'Ada', email: 'ada@example.com' },
  via: 'console',
  action,
  class: 'create',
  target: { type: 'cluster', id: 12, name: 'blue' },
  diff: { title: [null, 'blue'], count: 3, at: null },
})

async function entriesOf(length: number): Promise<number> {
  const { id } = await given.organization()
  for (let n = 1; n <= length; n += 1) {
    await database.withTenant(id, (db) => audit(db, entry(id, `step.${n}`)))
  }
  return id
}

async function chainOf(length: number): Promise<number> {
  const id = await entriesOf(length)
  await linkAudit(database)
  return id
}

const verdict = (organizationId: number) =>
  database.readTenant(organizationId, (db) => verifyAudit(db, organizationId))

const tables = ['audit_entries', 'audit_links', 'audit_pending']

/** What only the owner of the table can do, after switching the guards off. */
async function tamper(statement: string, organizationId: number): Promise<void> {
  const client = await database.ownerPool.connect()
  try {
    await client.query('begin')
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    await client.query(statement, [organizationId])
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
    await client.query('commit')
  } finally {
    client.release()
  }
}

test('the trail says "console" only of what a browser sent', () => {
  const chromium = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'
  const viaOf = (userAgent: string | undefined, via: AuditEntry['via'] = 'console') =>
    auditRow({ ...entry(1), userAgent, via }).via
  expect(viaOf(chromium)).toBe('console')
  expect(viaOf('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')).toBe('console')
  for (const script of ['curl/8.5.0', 'python-requests/2.32.3', 'node', 'Go-http-client/2.0', ''])
    expect(viaOf(script), script).toBe('api')
  expect(viaOf('curl/8.5.0', 'kubectl')).toBe('kubectl')
  expect(viaOf(undefined, 'system')).toBe('system')
})

test('entries are linked without gaps in the order in which they were written', async () => {
  const id = await entriesOf(5)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 5 })
  await linkAudit(database)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 5 })
  const { rows } = await database.ownerPool.query(
    `select l.position::int, e.action, length(l.hash) as bytes from audit_links l
     join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
     where l.organization_id = $1 order by l.position`,
    [id],
  )
  expect(rows).toEqual([1, 2, 3, 4, 5].map((n) => ({ position: n, action: `step.${n}`, bytes: 32 })))
})

test('an open transaction keeps neither writers nor the linker of its organization waiting', async () => {
  const { id } = await given.organization()
  const held = Promise.withResolvers<void>()
  const appended = Promise.withResolvers<void>()
  const slow = database.withTenant(id, async (db) => {
    await audit(db, entry(id, 'slow'))
    appended.resolve()
    await held.promise
  })
  await appended.promise
  await database.withTenant(id, (db) => audit(db, entry(id, 'quick')))
  await linkAudit(database)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 1 })
  held.resolve()
  await slow
  await linkAudit(database)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 2 })
})

test('a burst of entries that stand alone takes few transactions, and one that is refused fails alone', async () => {
  const { id } = await given.organization()
  let transactions = 0
  const batch = createAuditBatch({
    withTenant: (organizationId, work) => {
      transactions += 1
      return database.withTenant(organizationId, work)
    },
  })
  const ids = await Promise.all(Array.from({ length: 300 }, (_, n) => batch.write(entry(id, `burst.${n}`))))
  expect(new Set(ids).size).toBe(300)
  expect(transactions).toBeLessThanOrEqual(3)
  const written = await Promise.allSettled([
    batch.write(entry(id, 'first')),
    batch.write(entry(id, 'good')),
    batch.write({ ...entry(id, 'bad'), runId: 'no uuid' }),
    batch.write(entry(id, 'good too')),
  ])
  expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  await linkAudit(database)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 303 })
})

test('an organization without entries is intact', async () => {
  const { id } = await given.organization()
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 0 })
})

test('an entry of a transaction that fails is not there, and leaves no gap in the chain', async () => {
  const id = await chainOf(1)
  const failing = database.withTenant(id, async (db) => {
    await audit(db, entry(id))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await database.withTenant(id, (db) => audit(db, entry(id)))
  await linkAudit(database)
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 2 })
})

test('entries written and linked at the same time form one chain', async () => {
  const { id } = await given.organization()
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await database.withTenant(id, (db) => audit(db, entry(id, `parallel.${n}`)))
      await linkAudit(database)
    }),
  )
  await linkAudit(database)
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
    `update audit_links set hash = ''`,
    'delete from audit_links',
    'truncate audit_links',
  ]) {
    await expect(poolOf().query(statement)).rejects.toMatchObject({ code: '42501' })
  }
  const unlinked = await entriesOf(1)
  for (const statement of [
    `update audit_pending set entry_hash = ''`,
    'delete from audit_pending',
    'truncate audit_pending',
    `update audit_entries set action = 'x' where organization_id = ${unlinked}`,
    `delete from audit_entries where organization_id = ${unlinked}`,
  ]) {
    await expect(poolOf().query(statement)).rejects.toMatchObject({ code: '42501' })
  }
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 1 })
})

test('the application role cannot write the end of the chain', async () => {
  const id = await chainOf(1)
  for (const statement of [
    sql`update audit_heads set seq = 0`,
    sql`delete from audit_heads`,
    sql`select link_audit(1)`,
    sql`insert into audit_links values (${id}, 2, 1, '', '', '')`,
    sql`insert into audit_pending values (${id}, 1, '')`,
  ]) {
    const attempt = database.withTenant(id, (db) => db.execute(statement))
    await expect(attempt).rejects.toMatchObject({ cause: { code: '42501' } })
  }
})

test('a chain whose organization is deleted while it is linked leaves nothing behind', async () => {
  const id = await entriesOf(1)
  const deletion = await database.ownerPool.connect()
  try {
    await deletion.query('begin')
    await deletion.query(`insert into audit_heads values ($1, 0, '')`, [id])
    const linking = linkAudit(database)
    // The linker has seen the entry that waits, and stands before the head.
    await expect
      .poll(async () => {
        const { rows } = await database.ownerPool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBe(1)
    await deletion.query('alter table audit_pending disable trigger user')
    await deletion.query('delete from audit_pending where organization_id = $1', [id])
    await deletion.query('alter table audit_pending enable trigger user')
    await deletion.query('delete from audit_heads where organization_id = $1', [id])
    await deletion.query('commit')
    await linking
  } finally {
    deletion.release()
  }
  const { rows } = await database.ownerPool.query('select * from audit_heads where organization_id = $1', [
    id,
  ])
  expect(rows).toEqual([])
})

/** The number of the entry at a place of the chain. */
const at = (position: number) =>
  `(select entry_seq from audit_links where organization_id = $1 and position = ${position})`

test.each([
  ['edited', `update audit_entries set action = 'x' where organization_id = $1 and seq = ${at(3)}`, 3],
  [
    'given another actor',
    `update audit_entries set actor_id = null where organization_id = $1 and seq = ${at(1)}`,
    1,
  ],
  [
    'given the address of another actor',
    `update audit_entries set actor_email = 'eve@example.com' where organization_id = $1 and seq = ${at(2)}`,
    2,
  ],
  [
    'given another diff',
    `update audit_entries set diff = '{}' where organization_id = $1 and seq = ${at(2)}`,
    2,
  ],
  [
    'made the outcome of another intent',
    `update audit_entries set intent_id = id where organization_id = $1 and seq = ${at(2)}`,
    2,
  ],
  ['deleted', `delete from audit_entries where organization_id = $1 and seq = ${at(2)}`, 2],
  ['deleted at the start', `delete from audit_entries where organization_id = $1 and seq = ${at(1)}`, 1],
  ['cut off the end', `delete from audit_entries where organization_id = $1 and seq >= ${at(4)}`, 4],
  ['all deleted', `delete from audit_entries where organization_id = $1`, 1],
  ['whose link was deleted', `delete from audit_links where organization_id = $1 and position = 2`, 2],
  [
    'whose link was cut off the end',
    `delete from audit_links where organization_id = $1 and position = 5`,
    5,
  ],
  [
    'whose link was changed',
    `update audit_links set prev_hash = '\\x01' where organization_id = $1 and position = 4`,
    4,
  ],
])('a trail with an entry %s is found out', async (_how, statement, position) => {
  const id = await chainOf(5)
  await tamper(statement, id)
  expect(await verdict(id)).toMatchObject({ isIntact: false, position, problem: expect.any(String) })
})

const firstWaiting = '(select min(seq) from audit_pending where organization_id = $1)'

test.each([
  ['edited', `update audit_entries set action = 'x' where organization_id = $1 and seq = ${firstWaiting}`, 1],
  ['deleted', `delete from audit_entries where organization_id = $1 and seq = ${firstWaiting}`, 1],
  [
    'taken from the queue',
    `delete from audit_pending where organization_id = $1 and seq = ${firstWaiting}`,
    2,
  ],
  [
    'rewritten with a hash that fits',
    `with changed as (
       update audit_entries e set action = 'x', hash = '\\x02' where organization_id = $1 and seq = ${firstWaiting}
     ) select 1`,
    1,
  ],
])(
  'an entry that is not linked yet and is %s is found out, then and later',
  async (_how, statement, late) => {
    const id = await entriesOf(2)
    await tamper(statement, id)
    expect(await verdict(id)).toMatchObject({ isIntact: false, position: 1 })
    await linkAudit(database)
    expect(await verdict(id)).toMatchObject({ isIntact: false, position: late })
  },
)

test('a chain rewritten consistently up to its end does not fit the noted end', async () => {
  const id = await chainOf(3)
  await tamper(`update audit_entries set action = 'x' where organization_id = $1 and seq = ${at(3)}`, id)
  await tamper(
    `update audit_entries e set hash = audit_hash(e) where organization_id = $1 and seq = ${at(3)}`,
    id,
  )
  expect(await verdict(id)).toMatchObject({ isIntact: false, position: 3 })
  await tamper(
    `update audit_links l set entry_hash = e.hash from audit_entries e
     where e.organization_id = l.organization_id and e.seq = l.entry_seq and l.organization_id = $1`,
    id,
  )
  await tamper(`update audit_links l set hash = audit_link_hash(l) where organization_id = $1`, id)
  expect(await verdict(id)).toMatchObject({ isIntact: false, position: 4 })
})

test('a trail from before there were links stays whole, and what was changed in it is found out', async () => {
  const id = await formerTrail()
  expect(await verdict(id)).toEqual({ isIntact: true, entries: 4 })
  await tamper(`update audit_entries set action = 'x' where organization_id = $1 and seq = ${at(2)}`, id)
  expect(await verdict(id)).toMatchObject({ isIntact: false, position: 2 })

  // Lost before the change of the format: what is left fits together, but not the end that was noted then.
  const shortened = await formerTrail(
    `delete from audit_entries where organization_id = $1 and action = 'old.3'`,
  )
  expect(await verdict(shortened)).toMatchObject({ isIntact: false, position: 3 })
  const torn = await formerTrail(`delete from audit_entries where organization_id = $1 and action = 'old.2'`)
  expect(await verdict(torn)).toMatchObject({ isIntact: false, position: 2 })
})

/** Three entries, each with the hash of the one before it, as they were written formerly; then migrated, and one more. */
async function formerTrail(damage = 'select $1::int'): Promise<number> {
  const { id } = await given.organization()
  for (const n of [1, 2, 3]) {
    await tamper(
      `insert into audit_entries (organization_id, seq, id, actor_type, via, action, class, prev_hash)
       select $1, nextval('audit_numbers'), gen_random_uuid(), 'user', 'api', 'old.${n}', 'create',
         coalesce((select hash from audit_entries where organization_id = $1 order by seq desc limit 1), '')`,
      id,
    )
    await tamper(
      `update audit_entries e set hash = audit_hash(e) where organization_id = $1 and action = 'old.${n}'`,
      id,
    )
  }
  await tamper(
    `insert into audit_heads (organization_id, seq, hash)
     select organization_id, 0, hash from audit_entries where organization_id = $1 and action = 'old.3'`,
    id,
  )
  await tamper(damage, id)
  await tamper(
    `insert into audit_pending select organization_id, seq, hash from audit_entries where organization_id = $1`,
    id,
  )
  await database.withTenant(id, (db) => audit(db, entry(id, 'new')))
  await linkAudit(database)
  return id
}
