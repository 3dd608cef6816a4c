import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { InstanceHealth } from '@bey/contract'

import { testDatabaseUrl } from '../testing/database.ts'
import { startMain } from '../testing/main-child.ts'
import { runOperator } from '../testing/operator-child.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { transitServer } from '../testing/transit-server.ts'

test('an instance moves to a key service and back, and starts only with the root key of its database', async () => {
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  const env = { BEY_DATA_DIR: dataDir, DATABASE_URL: await testDatabaseUrl() }
  const [plain, wrapped] = [join(dataDir, 'secret.key'), join(dataDir, 'secret.key.wrapped')]
  const started = (others: Record<string, string>) => startMain({ ...env, BEY_SECRET_KEY: '', ...others })
  const first = await started({})
  await first.stop()
  const key = readFileSync(plain, 'utf8').trim()

  const vault = await transitServer()
  vault.addKey('bey')
  const token = vault.addToken('transit/encrypt/bey', 'transit/decrypt/bey')
  const transit = {
    BEY_TRANSIT_URL: vault.url,
    BEY_TRANSIT_TOKEN: token.value,
    BEY_TRANSIT_TIMEOUT_SECONDS: '2',
  }
  const run = (args: string[], others: Record<string, string> = transit) =>
    runOperator(args, { ...env, ...others })
  expect((await run(['root-key', 'wrap'], {})).notes).toContain('Set BEY_TRANSIT_URL')
  const made = await run(['root-key', 'wrap', '--json'])
  expect([made.code, made.notes]).toEqual([0, ''])
  const { fingerprint, wrapped: text } = JSON.parse(made.out) as { fingerprint: string; wrapped: string }
  expect(readFileSync(wrapped, 'utf8')).toBe(`${text}\n`)
  expect(made.out).not.toContain(key)
  const keyCopy = join(temporaryDirectory(), 'copy.key')
  renameSync(plain, keyCopy)

  const server = await started(transit)
  const rootKey = async () => {
    const { out } = await run(['doctor', '--json'])
    return (JSON.parse(out) as InstanceHealth).checks.find(({ id }) => id === 'root-key')
  }
  expect(await rootKey()).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('the key service opens it'),
  })
  vault.state.mode = 'sealed'
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await rootKey()).toMatchObject({
    status: 'failed',
    detail: `The root key ${fingerprint} belongs to this database, but a start of Bey would fail now: ${vault.host} is sealed, so it cannot give the root key. Unseal it.`,
  })
  const sealed = await run(['root-key', 'unwrap'])
  expect([sealed.code, sealed.notes]).toEqual([1, expect.stringMatching(/is sealed.* It was tried for 2 s/)])
  vault.state.mode = 'answers'
  await server.stop()

  // The newest version of the service's key wraps it anew, given by the environment as well.
  const again = await run(['root-key', 'wrap', '--json'], { ...transit, BEY_SECRET_KEY_WRAPPED: text })
  expect((JSON.parse(again.out) as { fingerprint: string }).fingerprint).toBe(fingerprint)
  rmSync(wrapped)
  const elsewhere = await started({ ...transit, BEY_SECRET_KEY_WRAPPED: text })
  await elsewhere.stop()

  const back = await run(['root-key', 'unwrap'], { ...transit, BEY_SECRET_KEY_WRAPPED: text })
  expect([back.code, back.notes]).toEqual([
    0,
    expect.stringContaining(`Unwrapped the root key ${fingerprint}`),
  ])
  expect(back.notes).not.toContain(key)
  expect(readFileSync(plain, 'utf8')).toBe(readFileSync(keyCopy, 'utf8'))
  expect(statSync(plain).mode & 0o777).toBe(0o600)
  const twice = await run(['root-key', 'unwrap'], { ...transit, BEY_SECRET_KEY_WRAPPED: text })
  expect([twice.code, twice.notes]).toEqual([
    1,
    expect.stringContaining('exists already and was not replaced'),
  ])
  expect(existsSync(wrapped)).toBe(false)
  const last = await started({})
  expect((await fetch(`${last.url}/health`)).status).toBe(200)
})
