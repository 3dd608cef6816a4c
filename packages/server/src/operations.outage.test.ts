import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'

import { afterAll, expect, test, vi } from 'vitest'

import { openDatabase } from './platform/db/database.ts'
import { startEmbedded } from './platform/db/embedded/supervisor.ts'
import { createLog } from './platform/log.ts'
import { gate, testOperations } from './testing/operations.ts'

// A server of its own, for it is shot.
const log = createLog({ level: 'fatal', write: () => undefined })
const dataDir = await mkdtemp(join(tmpdir(), 'bey-outage-'))
const server = await startEmbedded({ dataDir, isDurable: false }, log)
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const database = await openDatabase({ dataDir, url: server.url }, log)
afterAll(() => database.close())
const { given, provider, operations, title, until, settled, runOf, create } = await testOperations({
  database,
})

test('a run whose database dies in the middle of a step goes on when it is back', async () => {
  const user = await given.user()
  const name = title()
  const held = gate()
  provider.on(name, 'join', held.act)
  const created = await create(user, name)
  await held.entered
  kill(server.pid(), 'SIGQUIT')
  await vi.waitUntil(() => !database.isUp(), { timeout: 60_000, interval: 5 })
  held.release()
  expect(operations.engine().state().status).toBe('waiting_for_database')
  await settled(user, created.id, 'RUNNING')
  const { run, steps } = await runOf(user, created)
  expect(run.status).toBe('completed')
  expect(steps.map((step) => step.status)).toEqual(Array(5).fill('succeeded'))
  // What was done before stays done.
  expect(provider.calls.filter((call) => call === `${name}:allocate`)).toHaveLength(1)
  // And what comes next is heard again, although the connection that listened was lost.
  await settled(user, (await create(user)).id, 'RUNNING')
})

test('a lost process makes a running cluster unreachable with the reason, and reachable once it is back', async () => {
  const user = await given.user()
  const created = await create(user)
  await settled(user, created.id, 'RUNNING')
  await operations.clusters.setReachability(
    user.organizationId,
    created.id,
    'unreachable',
    'Its process 7 ended.',
    new Date(),
  )
  const lost = await operations.clusters.get(user.organizationId, created.id)
  expect(lost.reachability).toMatchObject({ state: 'unreachable', reason: 'Its process 7 ended.' })
  provider.exit(created.id, 'Its process 7 ended.')
  await until(
    () => operations.clusters.get(user.organizationId, created.id),
    (cluster) => cluster.reachability.state === 'reachable',
  )
})

test('another cluster behind the same address is found by its uid, also after the server was away, and is said once', async () => {
  const user = await given.user()
  const { organizationId } = user
  const { id } = await create(user)
  await settled(user, id, 'RUNNING')
  const replacedAt = async () => (await operations.clusters.get(organizationId, id)).replacedAt
  const note = (uid: string | null, isReplaced = false) =>
    operations.clusters.noteIdentity(organizationId, id, { uid, isReplaced })
  await note('one')
  await note('one')
  await note(null)
  expect(await replacedAt()).toBeNull()
  // A process that has just started has nothing to compare it with.
  await note('two')
  const first = await replacedAt()
  expect(first).not.toBeNull()
  await note('two')
  expect(await replacedAt()).toBe(first)
  // The same cluster at an earlier state.
  await note('two', true)
  expect(Date.parse((await replacedAt()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
})
