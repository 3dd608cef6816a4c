import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, onTestFinished, test } from 'vitest'

import { readConfig } from '../../../config.ts'
import { nextBackupTime } from '../../../instance-backup-config.ts'
import { openInstanceBackups } from '../../../instance-backups.ts'
import { realClock } from '../../../platform/clock.ts'
import { checkRootKey, fingerprintOf } from '../../../platform/crypto/root-key.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { createLog } from '../../../platform/log.ts'
import { debianPostgres, startDebianPostgres } from '../../../testing/debian-postgres.ts'
import { anyOutbound } from '../../../testing/object-store.ts'
import { listBackups } from './backup-rows.ts'
import { startBackupRounds } from './rounds.ts'
import type { InstanceBackupRunner } from './runner.ts'

const log = createLog({ level: 'silent' })
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }
const root = mkdtempSync(join(tmpdir(), 'bey-rounds-'))
chmodSync(root, 0o755)
const [dataDir, to] = [join(root, 'data'), join(root, 'backups')]
mkdirSync(dataDir, { mode: 0o755 })
const database = await openDatabase({ dataDir, isDurable: false }, log)
await checkRootKey(database, rootKey)
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

let now = new Date('2026-01-01T00:00:00Z')
const clock = { ...realClock, now: () => now, setInterval: () => () => undefined }
const config = readConfig({
  BEY_BACKUP_TO: to,
  BEY_BACKUP_SCHEDULE: '10 2 * * *',
  BEY_BACKUP_DRILL_SCHEDULE: '0 4 * * 0',
  BEY_BACKUP_KEEP: '1',
})

function openRunner(others: Partial<InstanceBackupRunner> = {}): InstanceBackupRunner {
  const { backups } = openInstanceBackups(
    { config: { ...config, dataDir }, outbound: anyOutbound, clock, log },
    { rootKey, dataDirectory: { machineId: 'test' }, version: '0.1.0' },
  )
  if (backups === undefined) throw new Error('No place is named')
  return { ...backups, ...others }
}

function start(runner: InstanceBackupRunner) {
  const parts = { database, clock, log, config: config.instanceBackup, nextTime: nextBackupTime }
  return startBackupRounds(parts, runner)
}

const rows = () => database.asSystem('look', listBackups)

test('backs up when it is due and once for what was missed, and keeps as many as are asked for', async () => {
  const rounds = start(openRunner())
  await rounds.look()
  expect(await rows()).toEqual([])
  now = new Date('2026-01-01T02:10:00Z')
  await rounds.look()
  await rounds.look()
  const [first, ...others] = await rows()
  expect(others).toEqual([])
  expect(first).toMatchObject({ trigger: 'schedule', status: 'completed', place: to, error: null })
  expect(readdirSync(to)).toEqual([first?.backupId])
  // Two nights were missed.
  now = new Date('2026-01-03T12:00:00Z')
  await rounds.look()
  expect((await rows()).map(({ removedAt }) => removedAt)).toEqual([null, now])
  await rounds.stop()
})

test('a drill proves the newest backup, and retention leaves a proved one until another is', async () => {
  const rounds = start(openRunner())
  // A Sunday.
  now = new Date('2026-01-04T04:00:00Z')
  await rounds.look()
  const [newest] = await rows()
  expect(newest?.drillOutcome).toBe('proved')
  expect(newest).toMatchObject({ drilledAt: now, drillProblems: [], drillSecrets: 0 })
  expect(newest?.drillRows).toBeGreaterThan(0)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('drill-'))).toEqual([])
  const proved = newest?.backupId ?? ''
  now = new Date('2026-01-05T02:10:00Z')
  await rounds.look()
  expect(readdirSync(to)).toContain(proved)
  await rounds.stop()
})

test('a damaged backup fails its drill; one that cannot be carried out is unchecked and proves nothing', async () => {
  const [newest] = await rows()
  const file = join(to, newest?.backupId ?? '', 'files.tar.zst')
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, -1))
  now = new Date('2026-01-11T04:00:00Z')
  const rounds = start(openRunner({ backUp: () => Promise.reject(new Error('The disk is full.')) }))
  await rounds.look()
  const [failed, drilled] = await rows()
  expect(failed).toMatchObject({ status: 'failed', error: 'The disk is full.', backupId: null })
  expect(drilled).toMatchObject({
    drillOutcome: 'failed',
    drillProblems: [expect.stringContaining('The part "files"')],
  })
  writeFileSync(file, whole)
  await rounds.stop()

  now = new Date('2026-01-18T04:00:00Z')
  const other = randomBytes(32)
  const { backups } = openInstanceBackups(
    { config: { ...config, dataDir }, outbound: anyOutbound, clock, log },
    {
      rootKey: { key: other, fingerprint: fingerprintOf(other) },
      dataDirectory: { machineId: 'test' },
      version: '0.1.0',
    },
  )
  const result = await backups?.drill(newest?.backupId ?? '', new AbortController().signal)
  expect(result).toMatchObject({
    outcome: 'unchecked',
    rows: null,
    problems: [expect.stringContaining(`was given ${fingerprintOf(other)}`)],
  })
})

test('a backup that its process did not live to finish is failed at the next start', async () => {
  await database.ownerPool.query(
    `insert into instance_backups (id, trigger, status, place, started_at)
     values (gen_random_uuid(), 'schedule', 'running', 'x', $1)`,
    [new Date('2026-01-18T05:00:00Z')],
  )
  const rounds = start(openRunner())
  await rounds.look()
  expect((await rows())[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Bey ended before'),
  })
  await rounds.stop()
})

test('of two servers that share a database one backs it up, and the other does not call that broken off', async () => {
  const running = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let made = 0
  const slow = openRunner({
    async backUp() {
      made += 1
      begun.resolve()
      await running.promise
      throw new Error('The disk is full.')
    },
  })
  now = new Date('2026-02-01T02:10:00Z')
  const [one, two] = [start(slow), start(slow)]
  const looking = one.look()
  await begun.promise
  await two.look()
  expect((await rows())[0]).toMatchObject({ status: 'running', startedAt: now })
  running.resolve()
  await looking
  await two.look()
  expect(made).toBe(1)
  expect((await rows())[0]).toMatchObject({ status: 'failed', error: 'The disk is full.' })
  await Promise.all([one.stop(), two.stop()])
})

test.skipIf(debianPostgres === undefined)(
  'a database that others run is dumped by the schedule, and a drill restores it',
  async () => {
    const server = await startDebianPostgres(debianPostgres ?? '')
    onTestFinished(() => server.stop())
    await server.execute('postgres', `create role bey login createrole password 'secret'`)
    await server.execute('postgres', 'create database live owner bey')
    const databaseUrl = server.url('live').replace('//postgres:', '//bey:')
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(join(elsewhere, 'data'), { recursive: true, mode: 0o755 })
    const live = await openDatabase({ url: databaseUrl, dataDir: join(elsewhere, 'data') }, log)
    onTestFinished(() => live.close())
    await checkRootKey(live, rootKey)
    const place = join(elsewhere, 'backups')
    const shared = {
      ...config,
      databaseUrl,
      dataDir: join(elsewhere, 'data'),
      instanceBackup: { ...config.instanceBackup, to: place },
    }
    const { backups } = openInstanceBackups(
      { config: shared, outbound: anyOutbound, clock, log },
      { rootKey, dataDirectory: { machineId: 'test' }, version: '0.1.0' },
    )
    if (backups === undefined) throw new Error('No place is named')
    now = new Date('2026-03-01T00:00:00Z')
    const parts = { database: live, clock, log, config: config.instanceBackup, nextTime: nextBackupTime }
    const rounds = startBackupRounds(parts, backups)
    // A Sunday: both are due.
    now = new Date('2026-03-01T05:00:00Z')
    await rounds.look()
    const [found] = await live.asSystem('look', listBackups)
    expect(found).toMatchObject({ status: 'completed', place, drillOutcome: 'proved', drillProblems: [] })
    expect(found?.drillRows).toBeGreaterThan(0)
    await rounds.stop()
  },
  120_000,
)
