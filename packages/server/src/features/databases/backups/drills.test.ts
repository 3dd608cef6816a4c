import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'
import { randomTarget } from './drill-target.ts'

const app = await testApp()
const user = await app.given.user({ role: 'ADMIN' })
const { ask, embedded, lookNow } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const policy = { schedule: null, retentionDays: 7, pitr: true, targetId: null, drillSchedule: null }
const setChecks = (...checks: { name: string; sql: string }[]) =>
  ask('PUT', `${path}/backup-policy`, { ...policy, checks })

/** What the policy says, as it is sent back to change a part of it. */
async function readPolicy() {
  const { checks, recoveryTimeMinutes } = (await ask('GET', `${path}/backup-policy`)).body
  return { ...policy, checks, recoveryTimeMinutes }
}

async function drilled() {
  const started = await ask('POST', `${path}/drill`)
  expect(started.status, started.text).toBe(202)
  return ended(started.body.id)
}

const ended = (id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await ask('GET', `${path}/restores?kind=drill`)
      const found = body.restores.find((each: { id: string }) => each.id === id)
      expect(found.proof).not.toBeNull()
      return found
    },
    { timeout: 90_000, interval: 200 },
  )
const readBackup = async (id: string) => (await ask('GET', `${path}/backups/${id}`)).body
const drillsOf = async () => (await ask('GET', path)).body.drills.map(({ proof }: { proof: string }) => proof)
const proofs = async () => {
  const { backedUp, proven } = (await ask('GET', '/api/databases')).body.summary
  return [backedUp, proven]
}
/** Directories of servers: that of the database itself, and those that drills left. */
const servers = async () => {
  const { rows } = await app.database.ownerPool.query<{ dir: string }>(
    'select dir from databases where id = $1',
    [orders.id],
  )
  return readdir(join(rows[0]?.dir ?? '', '..'))
}

/** Kills every server of a drill as soon as it runs, until the drill is over: one that was about to stop is followed by another. */
async function drilledUnderKills(drillId: string) {
  let isOver = false
  const killed = new Set<number>()
  const drill = ended(drillId).finally(() => (isOver = true))
  while (!isOver) {
    const { rows } = await app.database.ownerPool.query<{ dir: string | null }>(
      'select dir from database_restores where id = $1',
      [drillId],
    )
    const file = join(rows[0]?.dir ?? '', 'postgres', 'postmaster.pid')
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
    // Once each: the file outlives its process, whose number may be another's by then.
    if (pid > 1 && !killed.has(pid)) killIfThere(pid)
    killed.add(pid)
    await setTimeout(5)
  }
  return drill
}

function killIfThere(pid: number): void {
  try {
    kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

test('a drill before the first backup could not run, and proves nothing', async () => {
  const drill = await drilled()
  expect(drill).toMatchObject({
    status: 'failed',
    proof: 'could_not_run',
    failure: expect.stringContaining('Back it up first.'),
  })
  expect(await drillsOf()).toEqual(['could_not_run'])
  const { recovery } = (await ask('GET', `${path}/window`)).body
  expect(recovery).toEqual({ measured: null, teeth: [] })
}, 120_000)

let backupId = ''
test('a backup is verified when a moment was restored from it and every check passed; nothing is left', async () => {
  await query(
    orders.endpoint,
    orders.password,
    'create table parts as select generate_series(1, 1000) n; create view many as select count(*) > 999 as yes from parts',
  )
  const made = await ask('POST', `${path}/backups`)
  backupId = made.body.id
  await vi.waitFor(async () => expect(await readBackup(backupId)).toMatchObject({ status: 'completed' }), {
    timeout: 60_000,
    interval: 200,
  })
  await setChecks(
    { name: 'a thousand parts', sql: 'select yes from many' },
    { name: 'there are parts', sql: 'select n from parts limit 1' },
  )
  expect(await proofs()).toEqual([1, 0])
  const before = await servers()
  await ask('PUT', `${path}/backup-policy`, { ...(await readPolicy()), recoveryTimeMinutes: 15 })
  const drill = await drilled()
  const log = await ask('GET', `/api/v1/workflows/${drill.run.workflowId}/runs/${drill.run.runId}/logs`)
  expect(log.text).toMatch(/It was back within what was promised: [\d.]+ s of 15 min\./)
  expect(await proofs()).toEqual([1, 1])
  expect(drill).toMatchObject({
    status: 'completed',
    proof: 'passed',
    failure: null,
    backupId,
    targetTime: expect.any(String),
    checks: [
      { name: 'a thousand parts', outcome: 'passed' },
      { name: 'there are parts', outcome: 'passed' },
    ],
  })
  expect(drill.lostMs).toBeGreaterThanOrEqual(0)
  const { restoreMs, replayMs } = drill.durations
  expect(restoreMs).toBeGreaterThan(0)
  expect(replayMs).toBeGreaterThan(0)
  const { recovery } = (await ask('GET', `${path}/window`)).body
  expect(recovery.measured).toMatchObject({ drills: 1, baseMs: expect.any(Number) })
  expect(recovery.measured.baseMs).toBeGreaterThanOrEqual(restoreMs)
  expect(recovery.measured.baseMs).toBeLessThan(restoreMs + replayMs)
  // At least the segment in which its backup ends, in less time than all of it took.
  expect(recovery.measured.walBytesPerSecond * (replayMs / 1_000)).toBeGreaterThanOrEqual(16 * 1024 ** 2)
  expect(await readBackup(backupId)).toMatchObject({
    status: 'verified',
    rtoMs: restoreMs + replayMs,
    lastVerifiedAt: expect.any(String),
  })
  expect(await drillsOf()).toEqual(['could_not_run', 'passed'])
  expect(await servers()).toEqual(before)
}, 120_000)

test('a check that fails makes the drill red and says which and why; the backup is verified no more', async () => {
  await setChecks(
    { name: 'a million parts', sql: 'select count(*) > 999999 from parts' },
    { name: 'writes', sql: 'create table mine ()' },
    { name: 'a program', sql: `copy (select 1) to program 'true'` },
  )
  const drill = await drilled()
  expect(drill).toMatchObject({ status: 'failed', proof: 'failed' })
  expect(drill.failure).toContain('The check "a million parts" failed: It answered false.')
  expect(drill.checks).toMatchObject([
    { outcome: 'failed' },
    { outcome: 'failed', detail: expect.stringContaining('read-only transaction') },
    { outcome: 'failed', detail: expect.stringContaining('permission denied') },
  ])
  expect(await readBackup(backupId)).toMatchObject({ status: 'completed' })
  expect((await drillsOf()).at(-1)).toBe('failed')
  expect(await proofs()).toEqual([1, 0])
}, 120_000)

test('one that is due begins by its schedule; a second one at a time is refused', async () => {
  const put = await ask('PUT', `${path}/backup-policy`, { ...policy, checks: [], drillSchedule: '0 3 * * *' })
  expect(put.body.nextDrillAt).toMatch(/T03:00:00\.000Z$/)
  await app.database.ownerPool.query(
    'update database_backup_policies set next_drill_at = now() where database_id = $1',
    [orders.id],
  )
  const id = await vi.waitFor(
    async () => {
      await lookNow()
      const [newest] = (await ask('GET', `${path}/restores?kind=drill`)).body.restores
      expect(newest.createdBy).toMatchObject({ type: 'system' })
      return newest.id as string
    },
    { timeout: 60_000, interval: 300 },
  )
  expect(await ask('POST', `${path}/drill`)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('One is under way.') },
  })
  expect(await ended(id)).toMatchObject({ proof: 'passed' })
}, 180_000)

test('a drill whose server is killed proves nothing, and its backup stays what it was', async () => {
  const before = await readBackup(backupId)
  const started = await ask('POST', `${path}/drill`)
  expect(await drilledUnderKills(started.body.id)).toMatchObject({
    proof: 'could_not_run',
    failure: expect.any(String),
  })
  expect(await readBackup(backupId)).toMatchObject({ status: before.status })
}, 120_000)

test('a backup that was changed in its store fails its check and is offered no more', async () => {
  const { place } = await readBackup(backupId)
  const file = join(place, 'databases', String(user.organizationId), orders.id, 'base', `${backupId}.tar.zst`)
  await writeFile(file, 'something else')
  const drill = await drilled()
  expect(drill).toMatchObject({
    proof: 'failed',
    failure: expect.stringContaining('is not what was stored there'),
  })
  expect(await readBackup(backupId)).toMatchObject({ status: 'verify_failed' })
  await rm(file)
}, 120_000)

test('a moment is a whole second of the last day within what can be restored', () => {
  const day = 86_400_000
  const nowMs = 10 * day
  const ranges = [
    { fromMs: 0, toMs: day },
    { fromMs: nowMs - 2_500, toMs: nowMs - 1_000 },
  ]
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const ms = randomTarget({ ranges, gaps: [] }, nowMs)?.getTime() ?? 0
    expect([nowMs - 2_500, nowMs - 2_000, nowMs - 1_000]).toContain(ms)
  }
  expect(randomTarget({ ranges: [{ fromMs: 0, toMs: 5_000 }], gaps: [] }, nowMs)?.getTime()).toBe(5_000)
  expect(randomTarget({ ranges: [], gaps: [] }, nowMs)).toBeUndefined()
})
