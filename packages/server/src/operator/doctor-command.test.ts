import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'
import { expect, test } from 'vitest'

import type { InstanceHealth } from '@bey/contract'

import { findRunningCluster } from './backup/running-cluster.ts'
import { startMain } from '../testing/main-child.ts'
import { runOperator } from '../testing/operator-child.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'

const secretKey = randomBytes(32).toString('base64')

test('the doctor ends with 0 only when nothing is wrong, while the server runs and when it does not', async () => {
  const [dataDir, to] = [temporaryDirectory(), temporaryDirectory()]
  for (const each of [dataDir, to]) chmodSync(each, 0o755)
  const env = { BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: secretKey }
  const server = await startMain(env)
  const doctor = async (others: Record<string, string> = {}) => {
    const { code, out, notes } = await runOperator(['doctor', '--json'], { ...env, ...others })
    expect(notes).toBe('')
    const { checks, ...health } = JSON.parse(out) as InstanceHealth
    const wrong = checks.filter(({ status }) => status !== 'ok').map(({ id }) => id)
    return { code, wrong, health }
  }
  const first = await doctor()
  expect([first.code, first.wrong.filter((id) => id !== 'disk')]).toEqual([1, ['backup', 'drill']])
  expect(first.health).toMatchObject({ isHealthy: false, processes: [{ role: 'all' }] })
  const text = await runOperator(['doctor'], env)
  expect(text.out).toContain('! Backup of Bey: Bey has never been backed up.\n    → Set BEY_BACKUP_TO')

  const { rows } = await runOperator(['backup', '--to', to, '--json'], env).then(
    ({ out }) => JSON.parse(out) as { rows: object },
  )
  expect(Object.keys(rows)).toContain('public.organizations')
  expect((await doctor()).wrong).not.toContain('backup')
  const running = await findRunningCluster(dataDir)
  const client = new pg.Client({ ...running?.connection, database: 'bey' })
  await client.connect()
  await client.query(
    `update instance_backups set drill_outcome = 'proved', drilled_at = now(), drill_rows = 1, drill_secrets = 0`,
  )
  await client.query(`insert into instance_settings (name, value) values ('read-only', $1)`, [
    { reason: 'Moving.', since: '2026-01-10T11:30:00.000Z' },
  ])
  expect((await doctor()).wrong).toContain('read-only')
  await client.query(`delete from instance_settings where name = 'read-only'`)
  await client.end()
  const proved = await doctor()
  // Whether the disk of the machine has room is not for this test to say.
  expect(proved.wrong.filter((id) => id !== 'disk')).toEqual([])
  expect(proved.code).toBe(proved.wrong.length === 0 ? 0 : 1)

  const otherKey = randomBytes(32).toString('base64')
  expect((await doctor({ BEY_SECRET_KEY: otherKey })).wrong).toContain('root-key')
  await server.stop()
  expect((await doctor()).wrong).toContain('workers')
  const none = await runOperator(['doctor'], { BEY_DATA_DIR: dataDir })
  expect([none.code, none.notes]).toEqual([1, expect.stringContaining('There is no root key in')])
  writeFileSync(join(dataDir, 'secret.key'), 'damaged', { mode: 0o600 })
  expect((await runOperator(['doctor'], { BEY_DATA_DIR: dataDir })).notes).toContain('is damaged')
})
