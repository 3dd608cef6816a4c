import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { databasePlans } from '@bey/contract'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { createLog } from '../../platform/log.ts'
import { createEmbeddedDatabases } from './embedded.ts'

const root = await mkdtemp(join(tmpdir(), 'bey-databases-'))
await chmod(root, 0o755)
const log = createLog({ level: 'fatal', write: () => undefined })
const mebibyte = 1024 * 1024

const provider = (sandboxMib = 0) =>
  createEmbeddedDatabases({
    root,
    machineId: 'm1',
    log,
    budgetBytes: 300 * mebibyte,
    sandboxBytes: async () => sandboxMib * mebibyte,
    isDurable: false,
  })
const first = provider()
const step = { log: () => undefined, signal: new AbortController().signal }
const database = (id: string) => ({
  id,
  name: id,
  databaseName: id,
  username: id,
  plan: databasePlans.small,
})

const made: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of made) await end()
  await rm(root, { recursive: true, force: true })
})

test('a server that outlived its Bey is adopted, and one that was stopped is started again', async () => {
  const subject = database('adopted')
  const placement = await first.choosePlacement(subject.id, null)
  await first.reserve(subject, placement, step)
  await first.initialize(placement, step)
  const { pid } = await first.start(subject, placement)
  await first.setUp(subject, placement, 'first password')
  // Nobody is given the superuser of a server: its statements may run programs on this machine.
  const superuser = { ...subject, databaseName: 'postgres', username: 'postgres' }
  await expect(first.setUp(superuser, placement, 'stolen')).rejects.toThrow('belongs to PostgreSQL itself')

  const second = provider()
  made.push(async () => {
    await second.stop(subject.id, placement)
    await second.remove(placement)
  })
  const should = async () => true
  expect(await second.keepRunning(subject, placement, should)).toEqual({ pid })
  expect(await second.stop(subject.id, placement)).toContain('stopped')
  expect(await second.keepRunning(subject, placement, async () => false)).toBeUndefined()
  const started = await second.keepRunning(subject, placement, should)
  expect(started).toMatchObject({ startedBecause: 'Its server was not running.' })
  expect(started?.pid).not.toBe(pid)

  const login = (password: string) =>
    new pg.Client({ host: '127.0.0.1', port: placement.port, database: 'adopted', user: 'adopted', password })
  const wrong = login('another')
  await expect(wrong.connect()).rejects.toThrow('password')
  const client = login('first password')
  await client.connect()
  const { rows } = await client.query("select current_setting('max_connections') as n")
  await client.end()
  expect(rows).toEqual([{ n: String(databasePlans.small.maxConnections) }])
}, 120_000)

test('memory is shared with sandboxes, given back by release, and refused with the way out', async () => {
  const before = (await provider().capacity()).usedBytes
  const subject = database('reserved')
  const placement = await first.choosePlacement(subject.id, null)
  await first.reserve(subject, placement, step)
  expect((await provider().capacity()).usedBytes).toBe(before + 128 * mebibyte)
  const refusal = await provider(100).refusalOf(128 * mebibyte)
  expect(refusal).toMatch(
    /^This database takes 128 MiB of memory, and the machine has \d+ MiB of its 300 MiB/,
  )
  await expect(
    provider(100).reserve(database('third'), await first.choosePlacement('third', null), step),
  ).rejects.toThrow('BEY_SANDBOX_BUDGET_MIB')
  // Asked again after a crash, it takes nothing twice.
  await first.reserve(subject, placement, step)
  expect((await provider().capacity()).usedBytes).toBe(before + 128 * mebibyte)
  await first.release(placement)
  expect((await provider().capacity()).usedBytes).toBe(before)
})
