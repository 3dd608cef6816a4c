import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { organizationPolicies } from '../../tables/organization-policies.ts'
import { audit } from './audit.ts'
import { signCheckpoints } from './checkpoints.ts'
import { linkAudit } from './linker.ts'
import { removeOldEntries } from './retention.ts'
import { isSignedBy, loadSigningKey } from './signing-key.ts'
import { verifyAudit } from './verify.ts'
import { verifyChain } from './verify-chain.ts'

const database = await testDatabase()
const given = createGiven(database)
const rootKey = { key: randomBytes(32), fingerprint: 'f' }
const key = await loadSigningKey(database, rootKey)
const ignore = () => undefined

async function write(organizationId: number, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await database.withTenant(organizationId, (db) =>
      audit(db, {
        organizationId,
        actor: { type: 'system', name: 'Bey', email: null },
        via: 'system',
        action: `step.${n}`,
        class: 'update',
      }),
    )
  }
  await linkAudit(database)
}

async function signedChain(count: number): Promise<number> {
  const { id } = await given.organization()
  await write(id, count)
  await signCheckpoints(database, key, new Date(), ignore)
  return id
}

const verdict = (id: number, publicKeys = key.publicKeys) =>
  verifyChain(database, id, publicKeys, async () => undefined)

const tables = ['audit_entries', 'audit_links', 'audit_heads', 'audit_checkpoints']

/** What the owner of the database can do, after switching the guards off. */
async function tamper(organizationId: number, ...statements: string[]): Promise<void> {
  const client = await database.ownerPool.connect()
  try {
    await client.query('begin')
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    for (const statement of statements) await client.query(statement, [organizationId])
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const cutAfter = (position: number) => [
  `delete from audit_entries where organization_id = $1 and seq in
     (select entry_seq from audit_links where organization_id = $1 and position > ${position})`,
  `delete from audit_links where organization_id = $1 and position > ${position}`,
  `update audit_heads h set seq = l.position, hash = l.hash from audit_links l
   where h.organization_id = $1 and l.organization_id = $1 and l.position = ${position}`,
]

test('the key of a database is made once, and opens with its root key alone', async () => {
  const again = await loadSigningKey(database, rootKey)
  expect(again.id).toBe(key.id)
  const signature = again.sign('text')
  const publicPem = key.publicKeys.get(key.id) ?? ''
  expect(isSignedBy(publicPem, 'text', signature)).toBe(true)
  expect(isSignedBy(publicPem, 'texts', signature)).toBe(false)
  await expect(loadSigningKey(database, { key: randomBytes(32), fingerprint: 'g' })).rejects.toThrow()
})

test('a chain that has grown is signed at its end once, and verifies up to its checkpoint', async () => {
  const id = await signedChain(3)
  await signCheckpoints(database, key, new Date(), ignore)
  const { rows } = await database.ownerPool.query(
    'select position::int, kind from audit_checkpoints where organization_id = $1',
    [id],
  )
  expect(rows).toEqual([{ position: 3, kind: 'hourly' }])
  await write(id, 1)
  expect(await verdict(id)).toMatchObject({ isIntact: true, entries: 4, checkpoint: { keyId: key.id } })
})

test('a chain cut off at its end, with the noted end moved, does not fit its checkpoint', async () => {
  const id = await signedChain(5)
  await tamper(id, ...cutAfter(3))
  expect(await database.readTenant(id, (db) => verifyAudit(db, id))).toMatchObject({ isIntact: true })
  expect(await verdict(id)).toMatchObject({
    isIntact: false,
    position: 5,
    problem: expect.stringContaining('missing'),
  })
})

test('a chain written again consistently does not fit its checkpoint', async () => {
  const id = await signedChain(3)
  await tamper(
    id,
    `update audit_entries set action = 'forged' where organization_id = $1 and action = 'step.2'`,
    `update audit_entries e set hash = audit_hash(e) where organization_id = $1`,
    `update audit_links l set entry_hash = e.hash from audit_entries e
     where e.organization_id = l.organization_id and e.seq = l.entry_seq and l.organization_id = $1`,
    ...[1, 2, 3].flatMap((position) => [
      `update audit_links l set prev_hash = coalesce((select b.hash from audit_links b
         where b.organization_id = $1 and b.position = l.position - 1), ''::bytea)
       where l.organization_id = $1 and l.position = ${position}`,
      `update audit_links l set hash = audit_link_hash(l) where l.organization_id = $1 and l.position = ${position}`,
    ]),
    `update audit_heads h set hash = l.hash from audit_links l
     where h.organization_id = $1 and l.organization_id = $1 and l.position = 3`,
  )
  expect(await database.readTenant(id, (db) => verifyAudit(db, id))).toMatchObject({ isIntact: true })
  expect(await verdict(id)).toMatchObject({
    isIntact: false,
    position: 3,
    problem: expect.stringContaining('again'),
  })
})

test.each([
  ['changed', 'update audit_checkpoints set position = position - 1 where organization_id = $1'],
  ['signed by another key', `update audit_checkpoints set key_id = 'other' where organization_id = $1`],
])('a checkpoint that was %s is found out', async (_how, statement) => {
  const id = await signedChain(3)
  await tamper(id, statement)
  expect(await verdict(id)).toMatchObject({ isIntact: false, problem: expect.stringContaining('checkpoint') })
})

test('two entries that changed places are found out', async () => {
  const id = await signedChain(3)
  await tamper(
    id,
    `update audit_links set entry_seq = -1 where organization_id = $1 and position = 1`,
    `update audit_links set entry_seq = (select entry_seq - 1 from audit_links
       where organization_id = $1 and position = 2), position = 9 where organization_id = $1 and position = 1`,
    `update audit_links set position = 1 where organization_id = $1 and position = 2`,
    `update audit_links set position = 2 where organization_id = $1 and position = 9`,
  )
  expect(await verdict(id)).toMatchObject({ isIntact: false, position: 1 })
})

test('nothing is signed that does not fit', async () => {
  const { id } = await given.organization()
  await write(id, 2)
  await tamper(id, `update audit_entries set action = 'x' where organization_id = $1 and action = 'step.2'`)
  const broken: unknown[] = []
  await signCheckpoints(database, key, new Date(), (fault) => broken.push(fault))
  expect(broken).toMatchObject([{ organizationId: id, position: 2 }])
})

test('old entries are removed from the beginning, with a signed mark without which nothing can be deleted', async () => {
  const id = await signedChain(4)
  const dayMs = 86_400_000
  await tamper(
    id,
    `update audit_entries set at = now() - interval '100 days'
     where organization_id = $1 and action in ('step.1', 'step.2')`,
  )
  await database.withTenant(id, (db) =>
    db.insert(organizationPolicies).values({ organizationId: id, auditRetentionDays: 90 }),
  )
  // Their time was changed, so they are evidence now, which stays.
  await removeOldEntries(database, key, new Date())
  expect(await verdict(id)).toMatchObject({ isIntact: false, position: 1 })

  const other = await signedChain(4)
  await database.withTenant(other, (db) =>
    db.insert(organizationPolicies).values({ organizationId: other, auditRetentionDays: 90 }),
  )
  await removeOldEntries(database, key, new Date(Date.now() + 91 * dayMs))
  await write(other, 1)
  expect(await verdict(other)).toMatchObject({ isIntact: true, entries: 2 })
  const { rows } = await database.ownerPool.query(
    'select action, diff from audit_entries where organization_id = $1 order by seq',
    [other],
  )
  expect(rows).toMatchObject([{ action: 'audit.remove', diff: { entries: 4 } }, { action: 'step.1' }])
  await expect(
    database.ownerPool.query('delete from audit_entries where organization_id = $1', [other]),
  ).rejects.toMatchObject({ code: '42501' })
  await tamper(
    other,
    `insert into audit_checkpoints select organization_id, kind, 5, at, hash, key_id, signature
     from audit_checkpoints where organization_id = $1 and kind = 'removed'`,
  )
  expect(await verdict(other)).toMatchObject({
    isIntact: false,
    problem: expect.stringContaining('signature'),
  })
})
