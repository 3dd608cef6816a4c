import { randomBytes } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'

import { createDataKeys, dataKeyContext, unwrap } from '../../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../../platform/crypto/root-key.ts'
import { seal } from '../../../platform/crypto/sealed-box.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { openBackupPlaces } from '../../../providers/backup-stores/places.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { backupTargets } from '../../../tables/backup-targets.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { databases } from '../../../tables/databases.ts'
import { organizationKeys } from '../../../tables/organization-keys.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { anyOutbound, objectStore } from '../../../testing/object-store.ts'
import { temporaryDirectory } from '../../../testing/temporary-directory.ts'
import { realClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { createStoreOpener } from './open-store.ts'

const lines: string[] = []
const app = await testApp({}, { log: (line) => lines.push(line) })
const { given } = app
const path = '/api/databases/backup-targets'
const secretAccessKey = 'canary-of-the-secret-access-key'
const bucket = {
  name: 'Frankfurt',
  endpoint: 'http://127.0.0.1:1',
  region: 'eu-central-1',
  bucket: 'backups',
  prefix: 'bey',
  accessKeyId: 'AKIA1',
  secretAccessKey,
}

function member(user: GivenUser) {
  const { token, organizationId } = user
  return (method: string, to: string, body?: object) =>
    app.ask(method, to, { token, organizationId, ...(body && { body }) })
}

/** A database in the books, with a backup in a target. */
async function databaseIn(organizationId: number, targetId: string | null, name: string) {
  const databaseId = uuidv7()
  await app.database.withTenant(organizationId, async (db) => {
    await db.insert(databases).values({
      id: databaseId,
      organizationId,
      name,
      provider: 'embedded',
      status: 'hibernated',
      databaseName: 'app',
      username: 'app',
      tls: 'disable',
    })
    await db.insert(databaseBackups).values({
      id: uuidv7(),
      organizationId,
      databaseId,
      kind: 'full',
      trigger: 'manual',
      status: 'completed',
      targetId,
      storeKey: 'base',
      storedBytes: 1_000,
    })
  })
  return databaseId
}

let owner: GivenUser
beforeAll(async () => {
  owner = await given.user({ role: 'OWNER' })
})

test('a bucket is named, changed and forgotten, and its secret shows nowhere', async () => {
  const ask = member(owner)
  const made = await ask('POST', path, bucket)
  expect(made.status, made.text).toBe(201)
  const { secretAccessKey: _, ...shown } = bucket
  expect(made.body).toMatchObject({ ...shown, kind: 's3', lastCheck: null, usedBy: [], storedBytes: 0 })

  const taken = await ask('POST', path, { ...bucket, name: 'FRANKFURT' })
  expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  const changed = await ask('PATCH', `${path}/${made.body.id}`, {
    region: 'eu-west-1',
    secretAccessKey: 'canary-of-another',
  })
  expect(changed.body).toMatchObject({ region: 'eu-west-1', accessKeyId: 'AKIA1' })
  expect((await ask('GET', path)).body).toMatchObject({
    machine: { databases: 0, storedBytes: 0 },
    targets: [{ name: 'Frankfurt', region: 'eu-west-1' }],
  })
  expect((await ask('DELETE', `${path}/${made.body.id}`)).status).toBe(204)
  expect(await ask('GET', `${path}/${made.body.id}`)).toMatchObject({ status: 404 })

  const [entries, rows] = await app.database.withTenant(owner.organizationId, async (db) => [
    await db.select().from(auditEntries),
    await db.select().from(backupTargets),
  ])
  const acts = entries.map(({ action }) => action).filter((action) => action.startsWith('backup_target.'))
  expect(acts.toSorted()).toEqual(['backup_target.create', 'backup_target.delete', 'backup_target.update'])
  const everything = JSON.stringify([made.body, changed.body, entries, rows]) + lines.join('\n')
  expect(everything).not.toContain('canary-of')
})

test('a bucket that keeps backups stays as it is, and who uses it is said', async () => {
  const ask = member(owner)
  const { id } = (await ask('POST', path, { ...bucket, name: 'used' })).body as { id: string }
  await databaseIn(owner.organizationId, id, 'orders')
  await databaseIn(owner.organizationId, null, 'ledger')
  const listed = (await ask('GET', path)).body
  expect(listed.machine).toMatchObject({ databases: 1, storedBytes: 1_000 })
  expect(listed.targets).toMatchObject([{ usedBy: [{ name: 'orders' }], databases: 1, storedBytes: 1_000 }])

  const refused = await ask('DELETE', `${path}/${id}`)
  expect(refused.status).toBe(409)
  expect(refused.body.detail).toBe(
    '"used" is used by orders. Choose another target in their policies and delete their backups there first.',
  )
  const moved = await ask('PATCH', `${path}/${id}`, { bucket: 'elsewhere' })
  expect(moved.status).toBe(409)
  expect(moved.body.detail).toContain('Backups of orders are kept in backups, so bucket and prefix stay.')
  expect((await ask('PATCH', `${path}/${id}`, { bucket: 'backups', accessKeyId: 'AKIA2' })).status).toBe(200)
})

test('a policy names a target of its organization only, and holds it', async () => {
  const ask = member(owner)
  const databaseId = await databaseIn(owner.organizationId, null, 'invoices')
  const { id } = (await ask('POST', path, { ...bucket, name: 'named' })).body as { id: string }
  const policy = { schedule: null, retentionDays: 7, pitr: true, drillSchedule: null, checks: [] }
  const put = (targetId: string) =>
    ask('PUT', `/api/databases/${databaseId}/backup-policy`, { ...policy, targetId })
  const stranger = await given.user({ role: 'OWNER' })
  const foreign = (await member(stranger)('POST', path, bucket)).body as { id: string }
  expect(await put(foreign.id)).toMatchObject({ status: 404 })
  expect((await put(id)).status).toBe(200)
  expect((await ask('DELETE', `${path}/${id}`)).body.detail).toContain('"named" is used by invoices.')
  expect(await ask('GET', `${path}/${foreign.id}`)).toMatchObject({ status: 404 })
})

test('a bucket is tried before it is named and as it is; what was found is kept until it is changed', async () => {
  const { place } = await objectStore()
  const ask = member(owner)
  expect((await ask('POST', `${path}/test`, place)).body).toMatchObject({ isGood: true, problem: null })
  const missing = await ask('POST', `${path}/test`, { ...place, bucket: 'nowhere' })
  expect(missing.body).toMatchObject({
    isGood: false,
    problem: expect.stringContaining('has no bucket nowhere.'),
  })

  const { id } = (await ask('POST', path, { ...place, name: 'tried', accessKeyId: 'OTHER' })).body as {
    id: string
  }
  const check = () => ask('POST', `${path}/${id}/check`)
  const found = (await check()).body
  expect(found).toMatchObject({
    isGood: false,
    problem: expect.stringContaining('does not know the access key OTHER.'),
  })
  expect((await ask('GET', `${path}/${id}`)).body.lastCheck.problem).toBe(found.problem)
  const changed = await ask('PATCH', `${path}/${id}`, { accessKeyId: 'S3RVER' })
  expect(changed.body.lastCheck).toBeNull()
  expect((await check()).body).toMatchObject({ isGood: true })
  expect((await ask('GET', `${path}/${id}`)).body.lastCheck).toMatchObject({ problem: null })
})

test('an address that is refused is no endpoint, and only admins name one', async () => {
  const metadata = await member(owner)('POST', path, { ...bucket, endpoint: 'http://169.254.169.254' })
  expect(metadata.status).toBe(400)
  expect(metadata.body.errors[0].path).toBe('endpoint')
  const { organizationId } = owner
  const [admin, plain] = [
    await given.user({ organizationId, role: 'ADMIN' }),
    await given.user({ organizationId, role: 'MEMBER' }),
  ]
  expect((await member(admin)('POST', path, { ...bucket, name: 'of an admin' })).status).toBe(201)
  expect((await member(plain)('POST', path, { ...bucket, name: 'of a member' })).status).toBe(403)
  expect((await member(plain)('GET', path)).status).toBe(200)
})

test('objects stay readable when the root key is changed, for their own organization alone', async () => {
  const rootKey = (key = randomBytes(32)) => ({ key, fingerprint: fingerprintOf(key) })
  const [before, after] = [rootKey(), rootKey()]
  const [{ organizationId }, other] = [await given.user(), await given.user()]
  const config = { dataDir: temporaryDirectory(), backupDir: undefined, backupMibPerSecond: undefined }
  const log = createLog({ level: 'fatal' })
  const places = await openBackupPlaces({ config, outbound: anyOutbound, clock: realClock, log }, 'machine')
  const { database } = app
  const opener = (key: typeof before) =>
    createStoreOpener({ database, places, dataKeys: createDataKeys(key) })
  const { signal } = new AbortController()
  async function* bytes() {
    yield Buffer.from('rows')
  }
  await (await opener(before)(organizationId, null)).put('base', bytes(), signal)
  await database.withTenant(organizationId, async (db) => {
    const [row] = await db.select().from(organizationKeys)
    const context = dataKeyContext(organizationId)
    const wrapped = seal(after.key, unwrap(before, row?.wrapped ?? Buffer.of(), context), context)
    await db
      .update(organizationKeys)
      .set({ wrapped })
      .where(eq(organizationKeys.organizationId, organizationId))
  })
  const read = async (organization: number) => {
    const chunks: Uint8Array[] = []
    const store = await opener(after)(organization, null)
    for await (const chunk of await store.get('base', signal)) chunks.push(chunk)
    return String(Buffer.concat(chunks))
  }
  expect(await read(organizationId)).toBe('rows')
  await expect(read(other.organizationId)).rejects.toThrow('has no base: it was removed or never stored.')
})

test('a target that was deleted is said when its store is opened', async () => {
  const places = { directory: '' } as never
  const open = createStoreOpener({ database: app.database, places, dataKeys: {} as never })
  await expect(open(owner.organizationId, uuidv7())).rejects.toThrow('The backup target was deleted.')
})

test('targets are in the inventory as their last check found them, with the databases that keep backups there', async () => {
  const user = await given.user({ role: 'OWNER' })
  const ask = member(user)
  const { id } = (await ask('POST', path, bucket)).body
  const databaseId = await databaseIn(user.organizationId, id, 'orders')
  const listed = async () => (await ask('GET', '/api/resources?query=kind:backup-target')).body.resources
  expect(await listed()).toMatchObject([
    { id: `backup-target:${id}`, name: 'Frankfurt', health: null, href: '/databases/backup-targets' },
  ])
  await app.database.withTenant(user.organizationId, (db) =>
    db
      .update(backupTargets)
      .set({ checkedAt: new Date(), checkProblem: 'The bucket is missing.' })
      .where(eq(backupTargets.id, id)),
  )
  expect(await listed()).toMatchObject([{ health: { state: 'failing', detail: 'The bucket is missing.' } }])
  expect((await ask('GET', `/api/relations/of?id=backup-target:${id}`)).body.neededBy).toMatchObject([
    { id: `database:${databaseId}`, verb: 'backs_up_to', text: 'keeps backups in' },
  ])
})
