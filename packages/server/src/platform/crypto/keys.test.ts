import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { ConfigError } from '../errors.ts'
import { createLog } from '../log.ts'
import { createDataKeys } from './data-keys.ts'
import { checkRootKey, fingerprintOf, loadRootKey } from './root-key.ts'
import { seal, SealError, unseal } from './sealed-box.ts'
import { hashToken, newToken } from './token.ts'
import { uuidv7 } from './uuid.ts'

const database = await testDatabase()
const given = createGiven(database)
const key = randomBytes(32)
const log = createLog({ level: 'silent' })
const load = (secretKey: Buffer | undefined, dataDir: string) =>
  loadRootKey({ secretKey, keyService: undefined, dataDir }, log)

test('a sealed value opens with its key in its place, twice sealed it looks different', () => {
  const sealed = seal(key, 'hunter2', 'secret:1')
  expect(unseal(key, sealed, 'secret:1').toString()).toBe('hunter2')
  expect(sealed.includes('hunter2')).toBe(false)
  expect(seal(key, 'hunter2', 'secret:1').equals(sealed)).toBe(false)
  expect(unseal(key, seal(key, '', 'x'), 'x')).toHaveLength(0)
})

test('moved, cut, changed in any byte or under another key it does not open', () => {
  const sealed = seal(key, 'hunter2', 'secret:1')
  expect(() => unseal(key, sealed, 'secret:2')).toThrow(SealError)
  expect(() => unseal(randomBytes(32), sealed, 'secret:1')).toThrow(SealError)
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => unseal(key, changed, 'secret:1')).toThrow(SealError)
    expect(() => unseal(key, sealed.subarray(0, index), 'secret:1')).toThrow(SealError)
  }
})

async function newDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'bey-key-'))
}

test('the key file is made once, for its owner alone, also by two starts at once', async () => {
  const dir = await newDir()
  const [one, two] = await Promise.all([load(undefined, dir), load(undefined, dir)])
  expect(two.key.equals(one.key)).toBe(true)
  expect((await load(undefined, dir)).fingerprint).toBe(one.fingerprint)
  expect((await stat(join(dir, 'secret.key'))).mode & 0o777).toBe(0o600)
  await rm(dir, { recursive: true })
})

test('a key from the environment leaves no file', async () => {
  const dir = await newDir()
  const loaded = await load(key, dir)
  expect(loaded).toEqual({ key, fingerprint: fingerprintOf(key) })
  await expect(readFile(join(dir, 'secret.key'))).rejects.toMatchObject({ code: 'ENOENT' })
  await rm(dir, { recursive: true })
})

test('a key file that others can read, or that is damaged, is refused', async () => {
  const dir = await newDir()
  await load(undefined, dir)
  const file = join(dir, 'secret.key')
  await chmod(file, 0o644)
  await expect(load(undefined, dir)).rejects.toThrow(/chmod 600/)
  await chmod(file, 0o600)
  await writeFile(file, 'cut off')
  await expect(load(undefined, dir)).rejects.toThrow(/damaged/)
  await rm(dir, { recursive: true })
})

test('a root key that is not the database’s is refused, naming both by fingerprint only', async () => {
  const first = { key, fingerprint: fingerprintOf(key) }
  await checkRootKey(database, first)
  await checkRootKey(database, first)
  const other = randomBytes(32)
  const error: unknown = await checkRootKey(database, {
    key: other,
    fingerprint: fingerprintOf(other),
  }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toContain(fingerprintOf(other))
  expect(String(error)).toContain(first.fingerprint)
  expect(String(error)).not.toContain(key.toString('hex'))
  expect(String(error)).not.toContain(key.toString('base64'))
})

test('each organization seals with a key of its own, which is stored wrapped', async () => {
  const [one, two] = [await given.organization(), await given.organization()]
  const keys = createDataKeys({ key, fingerprint: fingerprintOf(key) })
  const sealed = await database.withTenant(one.id, (db) =>
    keys.seal(db, one.id, 'hunter2', 'cluster-token:7'),
  )
  const opened = await database.readTenant(one.id, (db) => keys.unseal(db, one.id, sealed, 'cluster-token:7'))
  expect(opened.toString()).toBe('hunter2')
  const moved = database.withTenant(two.id, (db) => keys.unseal(db, two.id, sealed, 'cluster-token:7'))
  await expect(moved).rejects.toThrow(SealError)
  const inAnotherRow = database.withTenant(one.id, (db) => keys.unseal(db, one.id, sealed, 'cluster-token:8'))
  await expect(inAnotherRow).rejects.toThrow(SealError)
  const { rows } = await database.ownerPool.query<{ wrapped: Buffer }>(
    'select wrapped from organization_keys',
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(() => unseal(key, row.wrapped, 'organization-key:0')).toThrow(SealError)
})

test('an organization sealing for the first time twice at once has one key', async () => {
  const { id } = await given.organization()
  const keys = createDataKeys({ key, fingerprint: fingerprintOf(key) })
  const sealed = await Promise.all(
    ['a', 'b', 'c'].map((text) => database.withTenant(id, (db) => keys.seal(db, id, text, text))),
  )
  const opened = await database.readTenant(id, async (db) => {
    const texts: string[] = []
    for (const [n, text] of ['a', 'b', 'c'].entries()) {
      texts.push((await keys.unseal(db, id, sealed[n] ?? Buffer.alloc(0), text)).toString())
    }
    return texts
  })
  expect(opened).toEqual(['a', 'b', 'c'])
})

test('tokens are long, random and named, and their hash is 32 bytes', () => {
  const token = newToken('bey_session')
  expect(token).toMatch(/^bey_session_[A-Za-z0-9_-]{43}$/)
  expect(newToken('bey_session')).not.toBe(token)
  expect(hashToken(token)).toHaveLength(32)
  expect(hashToken(token)).toEqual(hashToken(token))
})

test('identifiers are UUIDv7 and sort as they were made, also when the clock goes back', () => {
  const nowMs = Date.now() + 60_000
  const made = [
    ...Array.from({ length: 10_000 }, () => uuidv7(nowMs)),
    uuidv7(nowMs - 5000),
    uuidv7(nowMs + 5000),
  ]
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
  for (const id of made.slice(-5)) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(Number.parseInt(made.at(-1)?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(nowMs + 5000)
})
