import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { realClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { whenDue } from './due-work.ts'

const owner = await testDatabase()
const log = createLog({ level: 'fatal' })

/** The database, with a count of the queries that are sent to it. */
function countedDatabase() {
  const query = vi.fn((asked: { name: string; text: string; values: unknown[] }) =>
    owner.ownerPool.query(asked),
  )
  return { query, database: { ownerPool: { query } as never, isUp: () => owner.isUp() } }
}

test('what is due is begun and nothing else, and one query asks for all of it', async () => {
  const { database, query } = countedDatabase()
  const begun: string[] = []
  const of = (name: string, isDue: string) =>
    whenDue({ database, clock: realClock, log }, { isDue, begin: () => void begun.push(name) })
  const stops = [of('due', 'true'), of('not due', 'false'), of('by time', "$1 > '2000-01-01'::timestamptz")]
  await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(6), { timeout: 60_000 })
  for (const stop of stops) stop()
  expect(new Set(begun)).toEqual(new Set(['due', 'by time']))
  expect(query.mock.calls.length).toBeLessThanOrEqual(begun.length / 2 + 1)
})

test('while the database is down nothing is asked, and afterwards it goes on', async () => {
  const { database, query } = countedDatabase()
  let isUp = false
  const begin = vi.fn()
  const down = { ...database, isUp: () => isUp }
  const turns: (() => void)[] = []
  const clock = { ...realClock, setInterval: (turn: () => void) => (turns.push(turn), () => undefined) }
  const stop = whenDue({ database: down, clock, log }, { isDue: 'true', begin })
  turns[0]?.()
  expect(query).not.toHaveBeenCalled()
  isUp = true
  turns[0]?.()
  await vi.waitFor(() => expect(begin).toHaveBeenCalled(), { timeout: 60_000 })
  stop()
})

test('work that is stopped while it is asked for is not begun', async () => {
  const { database } = countedDatabase()
  const turns: (() => void)[] = []
  const clock = { ...realClock, setInterval: (turn: () => void) => (turns.push(turn), () => undefined) }
  const stopped = vi.fn()
  const other = vi.fn()
  const stop = whenDue({ database, clock, log }, { isDue: 'true', begin: stopped })
  const stopOther = whenDue({ database, clock, log }, { isDue: 'true', begin: other })
  turns[0]?.()
  stop()
  await vi.waitFor(() => expect(other).toHaveBeenCalled(), { timeout: 60_000 })
  expect(stopped).not.toHaveBeenCalled()
  stopOther()
})
