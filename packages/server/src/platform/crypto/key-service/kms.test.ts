import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { kmsCredentials, kmsServer } from '../../../testing/kms-server.ts'
import { ConfigError } from '../../errors.ts'
import { fingerprintOf, unwrapRootKey, wrapRootKey } from '../root-key.ts'
import { readKeyService } from './read-key-service.ts'

const key = randomBytes(32)
const fingerprint = fingerprintOf(key)

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', kmsCredentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', kmsCredentials.secretAccessKey)
})
afterEach(() => vi.unstubAllEnvs())

function settings(env: Record<string, string>) {
  const found = readKeyService((name) => env[name] || undefined)
  if (found === undefined) throw new Error('BEY_KMS_KEY is missing')
  return found
}

/** A server with a key, and the root key wrapped by it. */
async function wrappedKey() {
  const server = await kmsServer()
  const made = server.addKey('alias/bey')
  const env = { BEY_KMS_KEY: 'alias/bey', BEY_KMS_REGION: server.region, BEY_KMS_ENDPOINT: server.url }
  const service = settings(env)
  const wrapped = await wrapRootKey(key, service, undefined)
  /** Tries once; the sentence of what is wrong. */
  const problem = async (others: Record<string, string> = {}, ciphertext = wrapped.ciphertext) => {
    const error: unknown = await unwrapRootKey(
      { service: settings({ ...env, ...others }), wrapped: { ...wrapped, ciphertext } },
      undefined,
      { withinMs: 500, isOnce: true },
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigError)
    const sentence = error instanceof Error ? error.message : ''
    const all = `${sentence} ${error instanceof Error ? inspect(error.cause, { depth: 8, showHidden: true }) : ''}`
    const secrets = [
      key.toString('base64'),
      kmsCredentials.secretAccessKey,
      wrapped.ciphertext,
      'Said by AWS',
    ]
    for (const secret of secrets) expect(all).not.toContain(secret)
    return sentence
  }
  return { server, made, service, wrapped, env, problem }
}

test('a root key is wrapped and opened with a signature and a context, and what is stored holds nothing of it', async () => {
  const { wrapped, service, server } = await wrappedKey()
  expect(wrapped).toEqual({ fingerprint, ciphertext: expect.stringMatching(/^aws-kms:[\w+/]+=*$/) })
  expect(wrapped.ciphertext).not.toContain(key.toString('base64').slice(0, 20))
  expect((await unwrapRootKey({ service, wrapped }, undefined)).equals(key)).toBe(true)
  const context = { application: 'bey', purpose: 'root key' }
  expect(server.requests).toEqual([
    { target: 'Encrypt', context },
    { target: 'Decrypt', context },
    { target: 'Decrypt', context },
  ])
})

test('what AWS refuses has a sentence of its own each, without what it said', async () => {
  const { server, made, problem } = await wrappedKey()
  const name = `the key "alias/bey" of ${server.host}`
  server.state.mode = 'denies'
  expect(await problem()).toBe(
    `${server.host} does not let these credentials decrypt with ${name}. Allow kms:Decrypt on it, by its key policy or by IAM.`,
  )
  server.state.mode = 'answers'
  made.isEnabled = false
  expect(await problem()).toContain('is disabled or waits for its deletion')
  made.isEnabled = true
  expect(await problem({ BEY_KMS_KEY: 'alias/gone' })).toContain('has no key "alias/gone"')
  server.addKey('alias/other')
  expect(await problem({ BEY_KMS_KEY: 'alias/other' })).toContain('another key or service wrapped it')
  expect(await problem({ BEY_KMS_REGION: 'us-east-1' })).toContain('does not accept the credentials')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong')
  expect(await problem()).toContain('does not accept the credentials')
})

test('a changed ciphertext, and one of another service, do not open', async () => {
  const { wrapped, problem } = await wrappedKey()
  const sealed = Buffer.from(wrapped.ciphertext.slice('aws-kms:'.length), 'base64')
  for (const at of [0, 40, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(await problem({}, `aws-kms:${changed.toString('base64')}`)).toContain('or it was changed')
  }
  expect(await problem({}, 'vault:v1:abcd')).toContain('another key or service wrapped it')
})

test('another key that was put in the place of the root key is refused by its fingerprint', async () => {
  const { service, problem } = await wrappedKey()
  const other = await wrapRootKey(randomBytes(32), service, undefined)
  expect(await problem({}, other.ciphertext)).toContain(`is not the root key ${fingerprint}.`)
})

test('a service that hangs, throttles, fails, answers strangely or is gone has a sentence of its own', async () => {
  const { server, problem } = await wrappedKey()
  const sentences: Record<string, string> = {}
  for (const mode of ['hangs', 'throttles', 'fails', 'strange'] as const) {
    server.state.mode = mode
    sentences[mode] = await problem()
  }
  await server.close()
  sentences['gone'] = await problem()
  expect(sentences).toEqual({
    hangs: `${server.host}, which has the root key, did not answer within 0.5 s. See whether it can be reached from here.`,
    throttles: `${server.host} cannot give the root key at the moment (status 400).`,
    fails: `${server.host} cannot give the root key at the moment (status 500).`,
    strange: `${server.host} answered something else than AWS KMS does. See what BEY_KMS_ENDPOINT names.`,
    gone: `${server.host} refused the connection. It has the root key, without which Bey does not start. Mend the way to it, or BEY_KMS_ENDPOINT.`,
  })
})

test('one that comes back is waited for, and given up after the time that is set', async () => {
  const { server, service, wrapped, env } = await wrappedKey()
  server.state.mode = 'throttles'
  const before = server.counts.received
  const opened = unwrapRootKey({ service, wrapped }, undefined)
  await vi.waitFor(() => expect(server.counts.received).toBeGreaterThan(before))
  server.state.mode = 'answers'
  expect((await opened).equals(key)).toBe(true)
  server.state.mode = 'fails'
  await expect(
    unwrapRootKey({ service: settings({ ...env, BEY_KMS_TIMEOUT_SECONDS: '1' }), wrapped }, undefined),
  ).rejects.toThrow(/It was tried for 1 s \(BEY_KMS_TIMEOUT_SECONDS\)\.$/)
})

test('what makes no sense is refused before anything is sent', () => {
  const read = (env: Record<string, string>) => () => settings(env)
  const good = { BEY_KMS_KEY: 'alias/bey', BEY_KMS_REGION: 'eu-central-1' }
  expect(settings(good)).toMatchObject({
    kind: 'kms',
    settings: { key: 'alias/bey', region: 'eu-central-1' },
  })
  const arn = 'arn:aws:kms:eu-west-1:123456789012:key/6bbe0fbe-6d0c-4b21-9b4e-1f6a3e6f5d11'
  expect(settings({ BEY_KMS_KEY: arn })).toMatchObject({ settings: { region: 'eu-west-1' } })
  expect(read({ BEY_KMS_KEY: 'alias/bey' })).toThrow('without BEY_KMS_REGION')
  expect(read({ BEY_KMS_KEY: arn, BEY_KMS_REGION: 'us-east-1' })).toThrow('BEY_KMS_REGION is "us-east-1"')
  expect(read({ ...good, BEY_KMS_KEY: 'alias/b ey' })).toThrow('BEY_KMS_KEY is')
  expect(read({ ...good, BEY_KMS_ENDPOINT: 'https://ada:canary@kms' })).toThrow(
    /^(?!.*canary).*BEY_KMS_ENDPOINT/,
  )
  expect(read({ ...good, BEY_KMS_ENDPOINT: 'http://kms.example.com' })).toThrow('without encryption')
  expect(read({ ...good, BEY_TRANSIT_URL: 'https://vault.example.com' })).toThrow('are both set')
})
