import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { fakeClock } from '../../testing/clock.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { transitServer } from '../../testing/transit-server.ts'
import { createLog } from '../log.ts'
import { checkKeyService, watchKeyService } from './check-key-service.ts'
import { type KeyServiceConfig, readKeyService } from './key-service/read-key-service.ts'
import { fingerprintOf, loadRootKey, wrapRootKey } from './root-key.ts'
import { formatWrappedKey } from './wrapped-key.ts'

const log = createLog({ level: 'silent' })
const plainFile = (dataDir: string) => join(dataDir, 'secret.key')
const wrappedFile = (dataDir: string) => join(dataDir, 'secret.key.wrapped')
const load = (dataDir: string, keyService?: KeyServiceConfig, secretKey?: Buffer) =>
  loadRootKey({ secretKey, keyService, dataDir }, log)

async function service(more: Record<string, string> = {}) {
  const server = await transitServer()
  server.addKey('bey')
  const token = server.addToken('transit/encrypt/bey', 'transit/decrypt/bey')
  const env: Record<string, string> = { BEY_TRANSIT_URL: server.url, BEY_TRANSIT_TOKEN: token.value, ...more }
  const settings = (others: Record<string, string> = {}) => {
    const found = readKeyService((name) => ({ ...env, ...others })[name])
    if (found === undefined) throw new Error('BEY_TRANSIT_URL is missing')
    return found
  }
  return { server, token, settings }
}

test('a first start with a key service makes a root key that is nowhere in the clear, also by two starts at once', async () => {
  const dataDir = temporaryDirectory()
  const { settings } = await service()
  const [one, two] = await Promise.all([load(dataDir, settings()), load(dataDir, settings())])
  expect(two.key.equals(one.key)).toBe(true)
  expect((await load(dataDir, settings())).fingerprint).toBe(one.fingerprint)
  expect(existsSync(plainFile(dataDir))).toBe(false)
  const text = readFileSync(wrappedFile(dataDir), 'utf8')
  expect(text).toMatch(new RegExp(`^${one.fingerprint}\\.vault:v1:\\S+\\n$`))
  expect(text).not.toContain(one.key.toString('base64'))
  expect(statSync(wrappedFile(dataDir)).mode & 0o777).toBe(0o600)
})

test('a wrapped root key of the environment goes before the file, and leaves none', async () => {
  const { settings } = await service()
  const [mine, other] = [randomBytes(32), randomBytes(32)]
  const dataDir = temporaryDirectory()
  writeFileSync(wrappedFile(dataDir), formatWrappedKey(await wrapRootKey(other, settings(), undefined)))
  const BEY_SECRET_KEY_WRAPPED = formatWrappedKey(await wrapRootKey(mine, settings(), undefined))
  expect((await load(dataDir, settings())).fingerprint).toBe(fingerprintOf(other))
  expect((await load(dataDir, settings({ BEY_SECRET_KEY_WRAPPED }))).fingerprint).toBe(fingerprintOf(mine))
  const empty = temporaryDirectory()
  expect((await load(empty, settings({ BEY_SECRET_KEY_WRAPPED }))).key.equals(mine)).toBe(true)
  expect(existsSync(wrappedFile(empty))).toBe(false)
})

test('no second root key is made where there is one in another place', async () => {
  const { settings, server } = await service()
  const dataDir = temporaryDirectory()
  const first = await load(dataDir)
  const sent = server.requests.length
  await expect(load(dataDir, settings())).rejects.toThrow(
    `the root key in ${plainFile(dataDir)} is not wrapped yet. Run bey root-key wrap`,
  )
  expect(server.requests).toHaveLength(sent)
  await expect(load(dataDir, settings(), first.key)).rejects.toThrow(
    'BEY_SECRET_KEY and BEY_TRANSIT_URL are both set',
  )
  const wrapped = temporaryDirectory()
  const { fingerprint } = await load(wrapped, settings())
  await expect(load(wrapped)).rejects.toThrow(
    `The root key ${fingerprint} is wrapped in ${wrappedFile(wrapped)} by a key service. Set BEY_TRANSIT_URL or BEY_KMS_KEY to it`,
  )
  expect(existsSync(plainFile(wrapped))).toBe(false)
  writeFileSync(wrappedFile(wrapped), 'damaged')
  await expect(load(wrapped, settings())).rejects.toThrow('is damaged')
})

test('what would not start is known before, and so is a root key that was left beside the wrapped one', async () => {
  const { settings, token, server } = await service()
  const dataDir = temporaryDirectory()
  const check = (keyService?: KeyServiceConfig) =>
    checkKeyService({ secretKey: undefined, keyService, dataDir })
  expect(await check()).toBeNull()
  const { key } = await load(dataDir, settings())
  expect(await check(settings())).toEqual({ problem: null, plainFile: null })
  writeFileSync(plainFile(dataDir), key.toString('base64'), { mode: 0o600 })
  expect(await check(settings())).toEqual({ problem: null, plainFile: plainFile(dataDir) })
  server.revoke(token)
  expect(await check(settings())).toMatchObject({
    problem: expect.stringContaining('does not accept the token'),
  })
})

test('however many ask, the service is asked once a minute', async () => {
  const { settings, server } = await service()
  const dataDir = temporaryDirectory()
  await load(dataDir, settings())
  const clock = fakeClock()
  const look = watchKeyService({ secretKey: undefined, keyService: settings(), dataDir }, clock)
  const before = server.requests.length
  const asked = async () => {
    await Promise.all([look(), look()])
    return server.requests.length - before
  }
  expect(await asked()).toBe(1)
  clock.advance(59_999)
  expect(await asked()).toBe(1)
  clock.advance(1)
  expect(await asked()).toBe(2)
})
