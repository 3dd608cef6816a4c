import { tmpdir } from 'node:os'

import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { clusters } from '../../tables/clusters.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { type Db, openDatabase, withCommit } from './database.ts'
import { violatedConstraint } from './failure.ts'
import { prepared } from './prepared.ts'

const database = await testDatabase({ maxConnections: 2 })
const given = createGiven(database)

const titles = (organizationId: number) =>
  database.readTenant(organizationId, async (db) => {
    const rows = await db.select({ title: clusters.title }).from(clusters).orderBy(clusters.id)
    return rows.map((row) => row.title)
  })

test('work that throws leaves nothing behind, and its connection works on', async () => {
  const { id } = await given.organization()
  const failing = database.withTenant(id, async (db) => {
    await db.insert(clusters).values({ organizationId: id, title: 'half', provider: 'sandbox' })
    throw new AppError('conflict', 'Stop.')
  })
  await expect(failing).rejects.toMatchObject({ code: 'conflict', message: 'Stop.' })
  expect(await titles(id)).toEqual([])
})

test('a failed statement whose error is swallowed does not pass for a commit', async () => {
  const { id } = await given.organization()
  const swallowing = database.withTenant(id, async (db) => {
    await db.insert(clusters).values({ organizationId: id, title: 'lost', provider: 'sandbox' })
    await db.execute(sql`select 1 / 0`).catch(() => undefined)
  })
  await expect(swallowing).rejects.toThrow('rolled back')
  expect(await titles(id)).toEqual([])
})

test('what travels with the commit is committed with it; when it fails, or was never sent, nothing is', async () => {
  const { id } = await given.organization()
  const insert = (db: Db, title: string) =>
    db.insert(clusters).values({ organizationId: id, title, provider: 'sandbox' }).execute()
  await database.withTenant(id, async (db) => withCommit(db, insert(db, 'kept')))
  const refused = database.withTenant(id, async (db) => {
    await insert(db, 'lost')
    withCommit(db, insert(db, 'kept'))
  })
  await expect(refused).rejects.toThrow()
  const neverSent = database.withTenant(id, async (db) => {
    await insert(db, 'lost')
    withCommit(db, Promise.reject(new Error('Too large to be sent.')))
  })
  await expect(neverSent).rejects.toThrow('Too large to be sent.')
  expect(await titles(id)).toEqual(['kept'])
  const reading = database.readTenant(id, async (db) => withCommit(db, db.select().from(clusters).execute()))
  await expect(reading).rejects.toThrow('Nothing is committed')
})

test('a savepoint lets a part fail and the rest be kept', async () => {
  const cluster = await given.cluster({ title: 'Blue' })
  const id = cluster.organizationId
  const constraint = await database.withTenant(id, async (db) => {
    await db.insert(clusters).values({ organizationId: id, title: 'green', provider: 'sandbox' })
    try {
      await db.transaction((inner) =>
        inner.insert(clusters).values({ organizationId: id, title: 'blue', provider: 'sandbox' }),
      )
    } catch (error) {
      return violatedConstraint(error)
    }
    return 'none'
  })
  expect(constraint).toBe('clusters_title_key')
  expect(await titles(id)).toEqual(['Blue', 'green'])
})

test('reading refuses to write', async () => {
  const { organizationId } = await given.cluster()
  const writing = database.readTenant(organizationId, (db) => db.update(clusters).set({ title: 'x' }))
  await expect(writing).rejects.toMatchObject({ cause: { code: '25006' } })
})

test('many organizations at once on few connections never see one another', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, (_, n) => given.cluster({ title: `only-${n}` })))
  const find = prepared('test_titles', (db) => db.select({ title: clusters.title }).from(clusters))
  const rounds = Array.from({ length: 300 }, (_, n) => made[n % made.length] ?? made[0])
  const seen = await Promise.all(
    rounds.map((cluster, n) => {
      const id = cluster?.organizationId ?? 0
      return n % 2 === 0
        ? database.readTenant(id, (db) => find(db).execute())
        : database.withTenant(id, (db) => find(db).execute())
    }),
  )
  expect(seen).toEqual(rounds.map((cluster) => [{ title: cluster?.title }]))
})

test('work that goes on after its transaction has ended reaches no row, of whatever organization', async () => {
  const mine = await given.cluster({ title: 'mine' })
  const theirs = await given.cluster({ title: 'theirs' })
  const find = prepared('test_late', (db) => db.select({ title: clusters.title }).from(clusters))
  const late: Promise<unknown>[] = []
  const leak = (db: Db) => {
    const wait = new Promise((resolve) => setTimeout(resolve, 20))
    late.push(
      wait.then(() => db.select({ title: clusters.title }).from(clusters)),
      wait.then(() => find(db).execute()),
      wait.then(() => db.transaction((inner) => inner.execute(sql`select title from clusters`))),
    )
    for (const each of late) each.catch(() => undefined)
  }
  await database.withTenant(mine.organizationId, async (db) => leak(db))
  await database.readTenant(mine.organizationId, async (db) => leak(db))
  const failing = database.withTenant(mine.organizationId, async (db) => {
    leak(db)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  // Both connections now work for somebody else.
  const others = [1, 2].map(() =>
    database.withTenant(theirs.organizationId, async (db) => {
      await Promise.allSettled(late)
      return find(db).execute()
    }),
  )
  const outcomes = await Promise.allSettled(late)
  expect(outcomes.map((each) => each.status)).toEqual(Array.from({ length: 9 }, () => 'rejected'))
  expect(await Promise.all(others)).toEqual([[{ title: 'theirs' }], [{ title: 'theirs' }]])
})

test('a setting does not outlive its transaction', async () => {
  const { organizationId } = await given.cluster()
  for (let n = 0; n < 4; n += 1) {
    await database.withTenant(organizationId, (db) => db.select({ id: clusters.id }).from(clusters))
    await database.readTenant(organizationId, (db) => db.select({ id: clusters.id }).from(clusters))
  }
  const after = await Promise.all(
    Array.from({ length: 4 }, () => database.pool.query('select id from clusters')),
  )
  expect(after.map((each) => each.rowCount)).toEqual([0, 0, 0, 0])
})

test.each([Number.NaN, 1.5, '1; reset role' as unknown as number])(
  'an organization %s is no id',
  async (id) => {
    await expect(database.withTenant(id, (db) => db.execute(sql`select 1`))).rejects.toThrow(TypeError)
    await expect(database.readTenant(id, (db) => db.execute(sql`select 1`))).rejects.toThrow(TypeError)
  },
)

test('a connection that the server ends is answered as unavailable, and the next one works', async () => {
  const { id } = await given.organization()
  const ended = database.withTenant(id, async (db) => {
    const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.ownerPool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await db.execute(sql`select 1`)
  })
  await expect(ended).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' })
  expect(await titles(id)).toEqual([])
})

test('connections that are ended while idle are replaced', async () => {
  const { id } = await given.organization()
  await titles(id)
  await database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bey' and datname = current_database()`,
  )
  await expect
    .poll(() =>
      titles(id).then(
        () => 'works',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      ),
    )
    .toBe('works')
})

test('a transaction left idle is ended by the server', async () => {
  const { rows } = await database.pool.query(
    `select current_setting('idle_in_transaction_session_timeout') as idle, current_user as role`,
  )
  expect(rows).toEqual([{ idle: '15s', role: 'bey_app' }])
})

test('system work sees every organization', async () => {
  const one = await given.cluster()
  const two = await given.cluster()
  const found = await database.asSystem('test', (db) =>
    db
      .select({ id: clusters.id })
      .from(clusters)
      .where(sql`${clusters.id} in (${one.id}, ${two.id})`),
  )
  expect(found).toHaveLength(2)
  expect(
    await database.withTenant(one.organizationId, (db) =>
      db.select().from(clusters).where(eq(clusters.id, two.id)),
    ),
  ).toEqual([])
})

test('closing does not wait for ever for a connection that somebody holds', async () => {
  const second = await openDatabase({ url: database.url, dataDir: tmpdir() }, createLog({ level: 'silent' }))
  const held = await second.ownerPool.connect()
  await second.close()
  held.release()
})
