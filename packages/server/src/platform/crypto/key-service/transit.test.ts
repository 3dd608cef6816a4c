import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'

import { startTransit, transitPath } from '../../../testing/real-transit.ts'
import { temporaryDirectory } from '../../../testing/temporary-directory.ts'
import { transitServer } from '../../../testing/transit-server.ts'
import { createAuthority, createLeaf } from '../../certificate/certificate.ts'
import { ConfigError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { fingerprintOf, unwrapRootKey, wrapRootKey } from '../root-key.ts'
import { KeyServiceProblem } from './key-service.ts'
import { readKeyService } from './read-key-service.ts'
import { openTransit } from './transit.ts'

const key = randomBytes(32)
const fingerprint = fingerprintOf(key)
const both = ['transit/encrypt/bey', 'transit/decrypt/bey']

function settings(env: Record<string, string>) {
  const found = readKeyService((name) => env[name] || undefined)
  if (found === undefined) throw new Error('BEY_TRANSIT_URL is missing')
  return found
}

/** A server with the key `bey`, a token for it, and the root key wrapped by it. */
async function wrappedKey(
  options: Parameters<typeof transitServer>[0] = {},
  more: Record<string, string> = {},
) {
  const server = await transitServer(options)
  server.addKey('bey')
  const token = server.addToken(...both.map((path) => path.replace('transit', options.mount ?? 'transit')))
  const env = { BEY_TRANSIT_URL: server.url, BEY_TRANSIT_TOKEN: token.value, ...more }
  const service = settings(env)
  const wrapped = await wrapRootKey(key, service, undefined)
  /** Tries once; the sentence of what is wrong. */
  const problem = async (others: Record<string, string> = {}, ciphertext = wrapped.ciphertext) => {
    const opened = unwrapRootKey(
      { service: settings({ ...env, ...others }), wrapped: { ...wrapped, ciphertext } },
      undefined,
      { withinMs: 500, isOnce: true },
    )
    const error: unknown = await opened.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigError)
    const sentence = error instanceof Error ? error.message : ''
    // Neither keys nor tokens, also not by way of the cause, which the log prints.
    const all = `${sentence} ${error instanceof Error ? inspect(error.cause, { depth: 8 }) : ''}`
    for (const secret of [token.value, key.toString('base64'), key.toString('hex'), wrapped.ciphertext])
      expect(all).not.toContain(secret)
    return sentence
  }
  return { server, token, service, wrapped, env, problem }
}

test('a root key is wrapped and opened, and what is stored holds nothing of it', async () => {
  const { wrapped, service, server } = await wrappedKey()
  expect(wrapped).toEqual({ fingerprint, ciphertext: expect.stringMatching(/^vault:v1:/) })
  expect(wrapped.ciphertext).not.toContain(key.toString('base64').slice(0, 20))
  expect((await unwrapRootKey({ service, wrapped }, undefined)).equals(key)).toBe(true)
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/transit/encrypt/bey',
    '/v1/transit/decrypt/bey',
    '/v1/transit/decrypt/bey',
  ])
})

test('mount, key, namespace and a token from a file are those that are set', async () => {
  const file = join(temporaryDirectory(), 'token')
  const server = await transitServer({ mount: 'keys/transit', namespace: 'team/a' })
  server.addKey('instance-1')
  const token = server.addToken('keys/transit/encrypt/instance-1', 'keys/transit/decrypt/instance-1')
  writeFileSync(file, `${token.value}\n`)
  const env = {
    BEY_TRANSIT_URL: `${server.url}/`,
    BEY_TRANSIT_MOUNT: '/keys/transit/',
    BEY_TRANSIT_KEY: 'instance-1',
    BEY_TRANSIT_NAMESPACE: 'team/a',
    BEY_TRANSIT_TOKEN_FILE: file,
  }
  const wrapped = await wrapRootKey(key, settings(env), undefined)
  expect(server.requests.at(-1)).toEqual({ path: '/v1/keys/transit/decrypt/instance-1', token: token.value })
  const open = (others: Record<string, string>) =>
    unwrapRootKey({ service: settings({ ...env, ...others }), wrapped }, undefined, { isOnce: true })
  await expect(open({ BEY_TRANSIT_NAMESPACE: 'team/b' })).rejects.toThrow('has no transit engine')
  await expect(open({ BEY_TRANSIT_TOKEN_FILE: `${file}.none` })).rejects.toThrow(
    `BEY_TRANSIT_TOKEN_FILE names ${file}.none, which cannot be read (ENOENT).`,
  )
})

test('a token that has ended, one without the right, and none at all are told apart', async () => {
  const { server, token, problem } = await wrappedKey()
  const mayEncrypt = server.addToken('transit/encrypt/bey').value
  expect(await problem({ BEY_TRANSIT_TOKEN: mayEncrypt })).toBe(
    `The token may not decrypt with the key "bey" of ${server.host}. Give its policy the capability "update" on transit/decrypt/bey.`,
  )
  expect(await problem({ BEY_TRANSIT_TOKEN: '' })).toContain('wants a token')
  server.revoke(token)
  expect(await problem()).toContain(`${server.host} does not accept the token: it has expired`)
})

test('another key, a version that is not allowed any more, and a changed ciphertext do not open', async () => {
  const { server, token, wrapped, problem } = await wrappedKey()
  server.addKey('other')
  const others = {
    BEY_TRANSIT_TOKEN: server.addToken('transit/decrypt/other').value,
    BEY_TRANSIT_KEY: 'other',
  }
  expect(await problem(others)).toContain(`does not open with the key "other" of ${server.host}`)
  const sealed = Buffer.from(wrapped.ciphertext.split(':')[2] ?? '', 'base64')
  for (const at of [0, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(await problem({}, `vault:v1:${changed.toString('base64')}`)).toContain('or it was changed')
  }
  expect(await problem({}, 'canary')).toContain('or it was changed')
  const ring = server.keys.get('bey')
  ring?.versions.push(randomBytes(32))
  if (ring) ring.minDecryptionVersion = 2
  expect(await problem()).toContain('min_decryption_version')
  const gone = { BEY_TRANSIT_KEY: 'gone', BEY_TRANSIT_TOKEN: server.addToken('transit/decrypt/gone').value }
  expect(await problem(gone)).toBe(
    `${server.host} has no transit key "gone". Create it, or set BEY_TRANSIT_KEY.`,
  )
  const noMount = { BEY_TRANSIT_MOUNT: 'none', BEY_TRANSIT_TOKEN: server.addToken('none/decrypt/bey').value }
  expect(await problem(noMount)).toContain('has no transit engine at "none"')
  expect(token.value).not.toBe('')
})

test('another key of the same ring that was put in the place of the root key is refused by its fingerprint', async () => {
  const { service, problem } = await wrappedKey()
  const other = await wrapRootKey(randomBytes(32), service, undefined)
  expect(await problem({}, other.ciphertext)).toContain(`is not the root key ${fingerprint}.`)
  if (service.kind !== 'transit') throw new Error('Another service is set up')
  const transit = await openTransit(service.settings, 5_000)
  const short = await transit.wrap(Buffer.from('short'))
  await transit.close()
  expect(await problem({}, short)).toContain(`is not the root key ${fingerprint}.`)
})

test('a service that hangs, is sealed, fails, redirects or is gone has a sentence of its own', async () => {
  const { server, problem } = await wrappedKey()
  const sentences: Record<string, string> = {}
  for (const mode of ['hangs', 'sealed', 'fails', 'redirects'] as const) {
    server.state.mode = mode
    sentences[mode] = await problem()
  }
  await server.close()
  sentences['gone'] = await problem()
  expect(sentences).toEqual({
    hangs: `${server.host}, which has the root key, did not answer within 0.5 s. See whether it works and can be reached from here.`,
    sealed: `${server.host} is sealed, so it cannot give the root key. Unseal it.`,
    fails: `${server.host} cannot give the root key at the moment (status 500). See its log.`,
    redirects: `${server.host} redirects to another address, to which Bey does not send its token. Set BEY_TRANSIT_URL to the active server, or to what stands in front of all of them.`,
    gone: `127.0.0.1 refused the connection. It has the root key, without which Bey does not start. Start it, or mend BEY_TRANSIT_URL.`.replace(
      '127.0.0.1',
      server.host,
    ),
  })
})

test('a service that comes back is waited for, one that refuses is not', async () => {
  const { server, token, service, wrapped } = await wrappedKey()
  server.state.mode = 'sealed'
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const opened = unwrapRootKey({ service, wrapped }, log)
  await vi.waitFor(() => expect(lines.join('')).toContain('is sealed'))
  server.state.mode = 'answers'
  expect((await opened).equals(key)).toBe(true)
  expect(lines.join('')).not.toContain(token.value)

  server.revoke(token)
  const before = server.requests.length
  await expect(unwrapRootKey({ service, wrapped }, log)).rejects.toThrow(KeyServiceProblem)
  expect(server.requests.slice(before).map(({ path }) => path)).toEqual([
    '/v1/transit/decrypt/bey',
    '/v1/auth/token/lookup-self',
  ])
})

test('one that stays away is given up after the time that is set', async () => {
  const { server, service, wrapped } = await wrappedKey({}, { BEY_TRANSIT_TIMEOUT_SECONDS: '1' })
  await server.close()
  await expect(unwrapRootKey({ service, wrapped }, undefined)).rejects.toThrow(
    /refused the connection\..* It was tried for 1 s \(BEY_TRANSIT_TIMEOUT_SECONDS\)\.$/,
  )
})

test('its certificate is verified, by the authority that is named', async () => {
  const now = new Date()
  const authority = await createAuthority(now)
  const file = join(temporaryDirectory(), 'ca.pem')
  writeFileSync(file, authority.certificatePem)
  const tls = await createLeaf(authority, ['127.0.0.1'], now)
  const { problem, server } = await wrappedKey({ tls }, { BEY_TRANSIT_CA_FILE: file })
  const before = server.requests.length
  expect(await problem({ BEY_TRANSIT_CA_FILE: '' })).toMatch(
    /shows a certificate .* Set BEY_TRANSIT_CA_FILE to the authority of the key service/,
  )
  expect(server.requests).toHaveLength(before)
  const other = await createLeaf(authority, ['other.example'], now)
  const elsewhere = await transitServer({ tls: other })
  expect(await problem({ BEY_TRANSIT_URL: elsewhere.url })).toContain('shows a certificate for another name')
  writeFileSync(file, 'no certificate')
  expect(await problem()).toContain('which holds no certificate in PEM')
})

test('what makes no sense is refused before anything is sent, without the value', () => {
  const read = (env: Record<string, string>) => () => settings(env)
  const url = { BEY_TRANSIT_URL: 'https://vault.example.com:8200' }
  for (const wrong of [
    'vault.example.com',
    'https://ada:canary@vault.example.com',
    'https://v.example.com/?canary',
  ])
    expect(read({ BEY_TRANSIT_URL: wrong })).toThrow(/^(?!.*canary).*BEY_TRANSIT_URL/)
  expect(read({ BEY_TRANSIT_URL: 'http://vault.example.com:8200' })).toThrow('without encryption')
  expect(read({ BEY_TRANSIT_URL: 'http://127.0.0.1.example.com' })).toThrow('without encryption')
  expect(read({ ...url, BEY_TRANSIT_KEY: '../../sys/raw' })).toThrow('BEY_TRANSIT_KEY is')
  expect(read({ ...url, BEY_TRANSIT_MOUNT: 'transit/../sys' })).toThrow('BEY_TRANSIT_MOUNT is')
  expect(read({ ...url, BEY_TRANSIT_TOKEN: 'canary two' })).toThrow(/^(?!.*canary).*BEY_TRANSIT_TOKEN/)
  expect(read({ ...url, BEY_TRANSIT_TOKEN: 'a', BEY_TRANSIT_TOKEN_FILE: '/b' })).toThrow('are both set')
  expect(read({ ...url, BEY_TRANSIT_TIMEOUT_SECONDS: '0' })).toThrow('from 1 to 600')
  expect(read({ ...url, BEY_SECRET_KEY_WRAPPED: 'canary' })).toThrow(/^(?!.*canary).*bey root-key wrap/)
  expect(() => readKeyService((name) => ({ BEY_SECRET_KEY_WRAPPED: 'x' })[name])).toThrow(
    'without a key service. Set BEY_TRANSIT_URL or BEY_KMS_KEY',
  )
  expect(readKeyService(() => undefined)).toBeUndefined()
  expect(settings(url)).toMatchObject({
    settings: { mount: 'transit', key: 'bey' },
    timeoutMs: 30_000,
  })
})

test.skipIf(transitPath === undefined)(
  'a real server of the transit engine wraps, opens and refuses alike',
  async () => {
    const { url, token, ask } = await startTransit(transitPath ?? '')
    const env = { BEY_TRANSIT_URL: url, BEY_TRANSIT_TOKEN: token }
    const wrapped = await wrapRootKey(key, settings(env), undefined)
    const open = (others: Record<string, string> = {}, ciphertext = wrapped.ciphertext) =>
      unwrapRootKey(
        { service: settings({ ...env, ...others }), wrapped: { ...wrapped, ciphertext } },
        undefined,
        {
          isOnce: true,
        },
      )
    expect((await open()).equals(key)).toBe(true)
    await ask('transit/keys/bey/rotate', {})
    expect((await open()).equals(key)).toBe(true)
    await expect(open({}, wrapped.ciphertext.slice(0, -6))).rejects.toThrow('or it was changed')
    await expect(open({ BEY_TRANSIT_TOKEN: 'hvs.wrong' })).rejects.toThrow('does not accept the token')
    await expect(open({ BEY_TRANSIT_MOUNT: 'none' })).rejects.toThrow('has no transit engine')
    await expect(open({ BEY_TRANSIT_KEY: 'gone' })).rejects.toThrow('has no transit key')
  },
)
