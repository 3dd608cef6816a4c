import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { lockCall, lockClass, locks, lockUntilCommit } from './locks.ts'

const database = await testDatabase()

test('no two locks share a number', () => {
  const numbers = locks.map(lockClass)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('while all other locks are held for a key, each one is free for the same key', async () => {
  for (const lock of locks) {
    await database.asSystem('test', async (db) => {
      for (const other of locks) if (other !== lock) await lockUntilCommit(db, other, 7)
      const taken = await database.asSystem('test', (second) =>
        second.execute(sql.raw(`select ${lockCall('try_xact_lock', lock, '7')} as taken`)),
      )
      expect([lock, taken.rows]).toEqual([lock, [{ taken: true }]])
    })
  }
})

test('a lock that is held for a key is not taken twice', async () => {
  await database.asSystem('test', async (db) => {
    await lockUntilCommit(db, 'drainStart', 7)
    const [same, other] = await database.asSystem('test', async (second) => [
      await second.execute(sql.raw(`select ${lockCall('try_xact_lock', 'drainStart', '7')} as taken`)),
      await second.execute(sql.raw(`select ${lockCall('try_xact_lock', 'drainStart', '8')} as taken`)),
    ])
    expect([same?.rows, other?.rows]).toEqual([[{ taken: false }], [{ taken: true }]])
  })
})
