import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'

import { describe, expect, test } from 'vitest'

import { isLoopback, readConfig } from './config.ts'
import { ConfigError } from './platform/errors.ts'

test('a password in the public address is not repeated', () => {
  expect(() => readConfig({ BEY_PUBLIC_URL: 'https://ada:s3cret@bey.example.com' })).toThrow(
    'BEY_PUBLIC_URL is "https://…@bey.example.com".',
  )
})

test('nothing needs to be set', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    tlsPort: 8443,
    databaseUrl: undefined,
    publicUrl: undefined,
    signup: undefined,
    oauth: {},
    godmode: false,
    sandboxSpeed: 1,
    logLevel: 'info',
    developerEmail: 'developer@bey.local',
    argon2: { memoryKib: 65_536, passes: 3 },
  })
  expect(isAbsolute(config.dataDir)).toBe(true)
  expect(config.dataDir).toMatch(/\/data$/)
})

test('memory and webhooks of sandboxes are read, and nonsense is refused with the way out', () => {
  const config = readConfig({
    BEY_SANDBOX_MEMORY_MIB: '256',
    BEY_SANDBOX_BUDGET_MIB: '4096',
    BEY_SANDBOX_WEBHOOKS: '10.0.0.0/8, 127.0.0.1:9443,[fd00::/8]:443',
  })
  expect(config).toMatchObject({
    sandboxMemoryMib: 256,
    sandboxBudgetMib: 4096,
    sandboxWebhooks: ['10.0.0.0/8', '127.0.0.1:9443', '[fd00::/8]:443'],
  })
  expect(() => readConfig({ BEY_SANDBOX_MEMORY_MIB: '64' })).toThrow('from 192 to 65536')
  expect(() => readConfig({ BEY_SANDBOX_BUDGET_MIB: '256' })).toThrow('one sandbox may take 512 MiB')
  for (const target of ['everywhere', 'hook.example.com', '10.0.0.0/40', '127.0.0.1:99999'])
    expect(() => readConfig({ BEY_SANDBOX_WEBHOOKS: target })).toThrow(`names "${target}"`)
})

test('a mail server needs a sender, and its password is not repeated', () => {
  const url = 'smtps://ada:s3cret@mail.example.com'
  const from = 'Bey <bey@example.com>'
  expect(readConfig({ BEY_SMTP_URL: url, BEY_MAIL_FROM: from }).smtp).toEqual({ url, from })
  expect(readConfig({ BEY_MAIL_FROM: from }).smtp).toBeUndefined()
  expect(() => readConfig({ BEY_SMTP_URL: url })).toThrow('BEY_MAIL_FROM is not set')
  expect(() => readConfig({ BEY_SMTP_URL: url, BEY_MAIL_FROM: 'Bey' })).toThrow('BEY_MAIL_FROM is "Bey"')
  const wrong = () => readConfig({ BEY_SMTP_URL: 'https://ada:s3cret@mail.example.com', BEY_MAIL_FROM: from })
  expect(wrong).toThrow('BEY_SMTP_URL is not the address of a mail server')
  expect(wrong).not.toThrow('s3cret')
})

test('an empty value is like none', () => {
  const env = { PORT: '', DATABASE_URL: ' ', BEY_SECRET_KEY: '', BEY_PUBLIC_URL: '', BEY_DEVELOPER_EMAIL: '' }
  expect(readConfig(env)).toEqual(readConfig({}))
})

test('production has no developer unless one is named', () => {
  expect(readConfig({ NODE_ENV: 'production' }).developerEmail).toBeUndefined()
  const named = readConfig({ NODE_ENV: 'production', BEY_DEVELOPER_EMAIL: 'Ada@Example.com' })
  expect(named.developerEmail).toBe('ada@example.com')
})

test('values are read as they are meant', () => {
  const key = Buffer.alloc(32, 7)
  const config = readConfig({
    PORT: '0',
    BEY_TLS_PORT: '0',
    HOST: '::',
    BEY_DATA_DIR: '/srv/bey',
    DATABASE_URL: 'postgresql://bey:p%40ss@db.internal/bey?sslmode=require',
    BEY_PUBLIC_URL: 'https://bey.example.com/',
    BEY_SECRET_KEY: key.toString('base64'),
    BEY_SIGNUP: 'INVITE',
    BEY_HOSTS: 'bey.lan, BEY.example.com',
    BEY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
    BEY_OPERATOR_TOKEN: 'a-long-enough-token',
    BEY_SANDBOX_SPEED: '2.5',
    LOG_LEVEL: 'Warning',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::',
    dataDir: '/srv/bey',
    publicUrl: 'https://bey.example.com',
    signup: 'invite',
    hosts: ['bey.lan', 'bey.example.com'],
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    sandboxSpeed: 2.5,
    logLevel: 'warning',
    secretKey: key,
  })
  expect(readConfig({ BEY_SECRET_KEY: key.toString('hex') }).secretKey).toEqual(key)
})

test('a worker has 20 s to end the steps under way, and others one', () => {
  const DATABASE_URL = 'postgres://bey@db/bey'
  expect(readConfig({ DATABASE_URL })).toMatchObject({ role: 'all', drainMs: 1_000 })
  expect(readConfig({ DATABASE_URL, BEY_ROLE: 'web' })).toMatchObject({ role: 'web', drainMs: 1_000 })
  expect(readConfig({ DATABASE_URL, BEY_ROLE: 'worker' })).toMatchObject({ role: 'worker', drainMs: 20_000 })
  expect(() => readConfig({ BEY_ROLE: 'web' })).toThrow(/^BEY_ROLE=web .* Set DATABASE_URL to a PostgreSQL/)
  const longer = readConfig({ DATABASE_URL, BEY_ROLE: 'worker', BEY_DRAIN_SECONDS: '600' })
  expect(longer.drainMs).toBe(600_000)
})

describe('nonsense is refused with a sentence that says what to set', () => {
  test.each([
    ['BEY_HOSTS', 'bey.lan:8080'],
    ['BEY_HOSTS', '*'],
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['BEY_TLS_PORT', '99999'],
    ['BEY_TLS_PORT', '8080'],
    ['HOST', 'http://localhost'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'localhost:5432/bey'],
    ['DATABASE_URL', 'mysql://u:hunter2@localhost/bey'],
    ['DATABASE_URL', 'postgres://u:hunter2@localhost'],
    ['DATABASE_URL', 'postgres://u:hunter2@one:5432,two:5432/bey?target_session_attrs=read-write'],
    ['BEY_PUBLIC_URL', 'bey.example.com'],
    ['BEY_PUBLIC_URL', 'ftp://bey.example.com'],
    ['BEY_PUBLIC_URL', 'https://bey.example.com/console'],
    ['BEY_PUBLIC_URL', 'https://bey.example.com/?a=1'],
    ['BEY_SECRET_KEY', 'hunter2'],
    ['BEY_SECRET_KEY', Buffer.alloc(16).toString('base64')],
    ['BEY_SECRET_KEY_PREVIOUS', 'hunter2'],
    ['BEY_DEVELOPER_EMAIL', 'ada'],
    ['BEY_SIGNUP', 'closed'],
    ['BEY_TRUSTED_PROXIES', 'loopback'],
    ['BEY_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['BEY_TRUSTED_PROXIES', '10.0.0.1,,'],
    ['BEY_GODMODE', 'yes'],
    ['BEY_OPERATOR_TOKEN', 'short'],
    ['BEY_ROLE', 'server'],
    ['BEY_DRAIN_SECONDS', 'long'],
    ['BEY_SANDBOX_SPEED', '0'],
    ['BEY_SANDBOX_SPEED', 'fast'],
    ['CHAOS', '101'],
    ['CHAOS', '-1'],
    ['CHAOS', '2.5'],
    ['CHAOS', 'much'],
    ['CHAOS_SEED', 'x'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`Set ${name} to`))
    if (value.includes('hunter2')) expect(read).not.toThrow(/hunter2/)
  })
})

test.each([
  ['BEY_GODMODE', 'godmode'],
  ['BEY_DEMO', 'demo'],
] as const)('%s is refused where others could reach it', (name, key) => {
  expect(() => readConfig({ [name]: '1', HOST: '0.0.0.0' })).toThrow(/HOST must be a loopback address/)
  expect(() => readConfig({ [name]: '1', HOST: 'bey.example.com' })).toThrow(ConfigError)
  const published = { [name]: '1', BEY_PUBLIC_URL: 'https://bey.example.com' }
  expect(() => readConfig(published)).toThrow(/BEY_PUBLIC_URL must not be/)
  expect(readConfig({ [name]: '1', BEY_PUBLIC_URL: 'http://localhost:8080' })[key]).toBe(true)
  expect(readConfig({ [name]: '1' })[key]).toBe(true)
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.evil.example', false],
  ['192.168.0.1', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('CHAOS is for development: production refuses it with the way out, and 0 is none', () => {
  expect(readConfig({ CHAOS: '10', CHAOS_SEED: '42' }).chaos).toEqual({ percent: 10, seed: 42 })
  expect(readConfig({ CHAOS: '100' }).chaos).toEqual({ percent: 100, seed: 1 })
  for (const none of [{}, { CHAOS: '0' }, { CHAOS: '0', NODE_ENV: 'production' }])
    expect(readConfig(none).chaos).toBeUndefined()
  expect(() => readConfig({ CHAOS: '10', NODE_ENV: 'production' })).toThrow(/^CHAOS=10 .* Unset CHAOS/)
})

test('a provider to sign in with is read whole or not at all', () => {
  const env = {
    BEY_OIDC_CLIENT_ID: 'bey',
    BEY_OIDC_CLIENT_SECRET: 'secret',
    BEY_OIDC_ISSUER: 'https://login.example.com/',
    BEY_OIDC_NAME: 'Engines ID',
    BEY_GITHUB_CLIENT_ID: 'id',
    BEY_GITHUB_CLIENT_SECRET: 'secret',
  }
  expect(readConfig(env).oauth).toEqual({
    github: { clientId: 'id', clientSecret: 'secret' },
    oidc: {
      clientId: 'bey',
      clientSecret: 'secret',
      issuer: 'https://login.example.com',
      label: 'Engines ID',
    },
  })
  const without = (name: keyof typeof env) => () => readConfig({ ...env, [name]: undefined })
  expect(without('BEY_GITHUB_CLIENT_SECRET')).toThrow(
    /BEY_GITHUB_CLIENT_ID is set without BEY_GITHUB_CLIENT_SECRET/,
  )
  expect(without('BEY_OIDC_ISSUER')).toThrow(/without BEY_OIDC_ISSUER/)
  expect(() => readConfig({ ...env, BEY_OIDC_ISSUER: 'ftp://x' })).toThrow(/BEY_OIDC_ISSUER is "ftp:\/\/x"/)
})

test('the sender of mails that README.md names is one that the server takes', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, from] = /BEY_MAIL_FROM.*\(`(Bey <[^`]+>)`\)/.exec(readme) ?? []
  expect(readConfig({ BEY_SMTP_URL: 'smtp://mail.example.com:587', BEY_MAIL_FROM: from }).smtp?.from).toBe(
    from,
  )
  expect(from).toBe('Bey <bey@example.com>')
})

test('metrics go to a store of their own where its address is set', () => {
  expect(readConfig({}).metrics).toBeUndefined()
  const url = 'https://metrics.example.com'
  expect(readConfig({ BEY_METRICS_URL: `${url}/`, BEY_METRICS_TOKEN: 't' }).metrics).toEqual({
    url,
    writeUrl: `${url}/api/v1/write`,
    token: 't',
  })
  const writeUrl = 'http://127.0.0.1:9090/api/v1/push'
  expect(readConfig({ BEY_METRICS_URL: url, BEY_METRICS_WRITE_URL: writeUrl }).metrics?.writeUrl).toBe(
    writeUrl,
  )
  expect(() => readConfig({ BEY_METRICS_WRITE_URL: url })).toThrow('BEY_METRICS_URL is not')
  const wrong = () => readConfig({ BEY_METRICS_URL: 'https://ada:s3cret@metrics.example.com' })
  expect(wrong).toThrow('BEY_METRICS_TOKEN')
  expect(wrong).not.toThrow('s3cret')
})

test('backups of Bey itself are read, and nonsense is refused with the way out', () => {
  expect(readConfig({}).instanceBackup).toMatchObject({ to: undefined, schedule: undefined, keep: 14 })
  const set = { BEY_BACKUP_TO: 's3://backups/bey', BEY_BACKUP_SCHEDULE: '10 2 * * *', BEY_BACKUP_KEEP: '3' }
  expect(readConfig(set).instanceBackup).toMatchObject({ to: 's3://backups/bey', keep: 3 })
  const wrong: [Record<string, string>, string][] = [
    [{ BEY_BACKUP_SCHEDULE: '10 2 * * *' }, 'BEY_BACKUP_SCHEDULE is set without BEY_BACKUP_TO'],
    [{ BEY_BACKUP_DRILL_SCHEDULE: '10 2 * * *' }, 'BEY_BACKUP_DRILL_SCHEDULE is set without BEY_BACKUP_TO'],
    [{ ...set, BEY_BACKUP_SCHEDULE: 'nightly' }, 'BEY_BACKUP_SCHEDULE is "nightly"'],
    [{ ...set, BEY_BACKUP_SCHEDULE: '0 0 31 2 *' }, 'BEY_BACKUP_SCHEDULE is "0 0 31 2 *"'],
    [{ BEY_BACKUP_TO: 'backups' }, 'BEY_BACKUP_TO is "backups"'],
    [{ BEY_BACKUP_KEY: 'short' }, 'BEY_BACKUP_KEY is not a key'],
    [{ BEY_BACKUP_S3_ENDPOINT: 'minio' }, 'BEY_BACKUP_S3_ENDPOINT is not an address'],
  ]
  for (const [env, message] of wrong) expect(() => readConfig(env)).toThrow(message)
})
