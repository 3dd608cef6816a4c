import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'

import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import { clusterConnections } from './tables/cluster-connections.ts'
import { testOperations, whoIs } from './testing/operations.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'bey-operations-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const { database, given, operations, until, settled, runOf, create } = await testOperations({
  sandboxesIn: dataDir,
})

async function connectionOf(id: number) {
  const rows = await database.asSystem('test', (db) =>
    db.select().from(clusterConnections).where(eq(clusterConnections.clusterId, id)),
  )
  return rows[0]
}

test('a cluster comes up on a real sandbox, survives the death of its process, and goes without a trace', async () => {
  const user = await given.user()
  const created = await create(user, 'real')
  await settled(user, created.id, 'RUNNING')
  const { run, logs } = await runOf(user, created)
  expect(run.output).toMatchObject({ verify: { version: 'v1.33.4-sandbox', nodeCount: 3 } })
  expect(logs.map((line) => line.message).join('\n')).toMatch(/Node real-workers-2 joined with address/)

  const before = await connectionOf(created.id)
  const connection = await operations.clusters.connect(user.organizationId, created.id)
  expect(before?.tokenSealed?.includes(connection.token)).toBe(false)
  expect(JSON.stringify([run, logs])).not.toContain(connection.token)

  kill(before?.pid ?? 0, 'SIGKILL')
  const after = await until(
    () => connectionOf(created.id),
    (found) => found?.pid !== before?.pid,
  )
  expect(after).toMatchObject({ url: before?.url, dir: before?.dir })
  await until(
    () => operations.clusters.get(user.organizationId, created.id),
    (cluster) => cluster.reachability.state === 'reachable',
  )
  expect(await operations.clusters.connect(user.organizationId, created.id)).toEqual(connection)
  const restarted = await until(
    () => operations.clusters.get(user.organizationId, created.id),
    (cluster) => cluster.lastRestart !== null,
  )
  expect(restarted.lastRestart?.reason).toContain(`Process ${before?.pid} was ended by the signal SIGKILL`)
  expect(Date.parse(restarted.lastRestart?.at ?? '')).toBeGreaterThan(Date.parse(created.createdAt))

  await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  await settled(user, created.id, 'DELETED')
  expect(existsSync(before?.dir ?? '/')).toBe(false)
  // Its process ends with its last request.
  await vi.waitFor(() => expect(() => kill(after?.pid ?? 0, 0)).toThrow('ESRCH'), 60_000)
  expect(await connectionOf(created.id)).toBeUndefined()
})

test('what stands in the way of the directory fails that step in words; once it is gone, again succeeds', async () => {
  const user = await given.user()
  const root = join(dataDir, 'sandboxes')
  await mkdir(root, { recursive: true })
  // Ids are given in order: the next few clusters find a file where their directory should be.
  const blocked = Array.from({ length: 20 }, (_, index) => join(root, `cluster-${index + 2}`))
  await Promise.all(blocked.map((path) => writeFile(path, '')))
  const created = await create(user, 'blocked')
  const failed = await settled(user, created.id, 'ERROR')
  const path = join(root, `cluster-${created.id}`)
  expect(failed.error).toBe(
    `Provisioning failed at "Allocate machines": The machines have no disk: a file is in the way of the directory ${path}.`,
  )
  await Promise.all(blocked.map((file) => rm(file)))
  await operations.clusters.provision(user.organizationId, created.id, whoIs(user))
  await settled(user, created.id, 'RUNNING')
})
