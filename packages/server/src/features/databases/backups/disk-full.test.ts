import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

/** A disk of its own for the backups, too small for one; only a superuser mounts it. */
const backupDir = join(mkdtempSync(join(tmpdir(), 'bey-small-disk-')), 'backups')
mkdirSync(backupDir)
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', backupDir], { stdio: 'ignore' }).status === 0
const app = await testApp({ backupDir })
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', backupDir])
  rmSync(join(backupDir, '..'), { recursive: true, force: true })
})

test.skipIf(!isMounted)(
  'a disk that fills during a backup fails it with that sentence and leaves no part of it; with room the next one completes',
  async () => {
    const user = await app.given.user({ role: 'MEMBER' })
    const { ask, embedded } = databaseApi(app, user)
    const { id, endpoint, password } = await embedded('orders')
    const inOrders = (sql: string) => query(endpoint, password, sql)
    await inOrders('create table rows as select n, md5(n::text) from generate_series(1, 50000) n')
    const backUp = async (expected: object) => {
      const started = await ask('POST', `/api/databases/${id}/backups`)
      expect(started.status, started.text).toBe(202)
      return vi.waitFor(
        async () => {
          const { body } = await ask('GET', `/api/databases/${id}/backups/${started.body.id}`)
          expect(body, body.failure).toMatchObject(expected)
          return body
        },
        { timeout: 90_000, interval: 100 },
      )
    }
    const failed = await backUp({ status: 'failed' })
    expect(failed.failure).toContain(
      `The disk of ${join(backupDir, `organization-${user.organizationId}`)} is full. Free space there, or keep backups elsewhere.`,
    )
    const left = await readdir(backupDir, { recursive: true, withFileTypes: true })
    expect(left.filter((entry) => entry.isFile() && entry.parentPath.endsWith('/base'))).toEqual([])
    // The archive of the WAL goes on trying, and may be at it.
    const parts = left.filter(({ name, parentPath }) => name.startsWith('.') && !parentPath.endsWith('/wal'))
    expect(parts).toEqual([])
    // The database goes on.
    await inOrders('insert into rows select n from generate_series(1, 1000) n')
    expect((await ask('GET', `/api/databases/${id}`)).body.status).toBe('available')

    execFileSync('mount', ['-o', 'remount,size=128m', backupDir])
    await backUp({ status: 'completed', failure: null })
  },
  200_000,
)
