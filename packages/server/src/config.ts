import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { isMailSender } from '@bey/contract'

import { checkDatabaseUrl } from './database-url.ts'
import { type InstanceBackupConfig, readInstanceBackup } from './instance-backup-config.ts'
import { type KeyServiceConfig, readKeyService } from './platform/crypto/key-service/read-key-service.ts'
import { ConfigError } from './platform/errors.ts'
import { readWebhookTargets } from './platform/outbound/read-webhook-targets.ts'
import { readRemoteStore } from './platform/metrics/remote/read-remote-store.ts'
import type { RemoteStore } from './platform/metrics/remote/remote-points.ts'
import { type OutboundPolicy, readOutboundPolicy } from './platform/outbound/address-guard.ts'
import { type PeerAddress, readPeerAddress } from './platform/peers/peer-address.ts'
import { readTracing, type TracingConfig } from './platform/tracing/read-tracing.ts'

const logLevels = ['trace', 'debug', 'info', 'warning', 'error', 'fatal'] as const
type ConfigLogLevel = (typeof logLevels)[number]

export type Config = {
  isProduction: boolean
  /** What this process does: `web` answers people and executes nothing, `worker` executes runs and answers nobody. */
  role: 'all' | 'web' | 'worker'
  /** How long steps under way may take to end when this process is asked to stop, before they are broken off. */
  drainMs: number
  /** 0 means any free port, as tests use it; the same holds for `tlsPort`. */
  port: number
  host: string
  tlsPort: number
  /** Absolute. */
  dataDir: string
  /** Where backups on this machine are kept, absolute. Undefined: `backups` in the data directory. */
  backupDir: string | undefined
  /** MiB a second at which each backup is stored at most; undefined: as quickly as it goes. */
  backupMibPerSecond: number | undefined
  instanceBackup: InstanceBackupConfig
  /** Where other processes reach this one, to share watches of clusters; undefined: they are not shared. */
  peerAddress: PeerAddress | undefined
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Without a slash at the end; undefined: `http://localhost:<port>`, known once it listens. */
  publicUrl: string | undefined
  /** Names besides `publicUrl` by which browsers reach this server, in lower case. */
  hosts: readonly string[]
  /** Addresses and CIDR blocks of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** 32 bytes; undefined: what the key service opens, else the key file in the data directory. */
  secretKey: Buffer | undefined
  keyService: KeyServiceConfig | undefined
  /** Another key that is accepted too: the one before, from which stored keys are moved to `secretKey`. */
  secretKeyPrevious: Buffer | undefined
  developerEmail: string | undefined
  /** Undefined: as the operator set it in the console, else open. */
  signup: 'open' | 'invite' | undefined
  /** Providers to sign in with, set by the environment. */
  oauth: Partial<Record<'github' | 'google' | 'oidc', OauthClient>>
  godmode: boolean
  /** Whether the start prints an address that signs in to a demo. */
  demo: boolean
  operatorToken: string | undefined
  /** Undefined: no mail leaves this instance. */
  smtp: { url: string; from: string } | undefined
  /** Divides the simulated time that sandboxes take to boot. */
  sandboxSpeed: number
  /** Memory that one sandbox may take. */
  sandboxMemoryMib: number
  /** Memory that all sandboxes of this machine may take together; undefined: half of the machine's. */
  sandboxBudgetMib: number | undefined
  /** Addresses that admission webhooks of sandboxes may be called on. */
  sandboxWebhooks: string[]
  /** Addresses that this server connects to on behalf of users. */
  outbound: OutboundPolicy
  /** Requests that fail and wait at random; only in development. */
  chaos: { percent: number; seed: number } | undefined
  /** Where the values of metrics are kept; undefined: in the database. */
  metrics: RemoteStore | undefined
  /** Where traces are sent; undefined: nowhere, and none are made. */
  tracing: TracingConfig | undefined
  /** The browser that prints papers; undefined: one of the usual places, else a library. */
  chromium: string | undefined
  logLevel: ConfigLogLevel
  argon2: { memoryKib: number; passes: number }
}

/** How this server is known to a provider. Of Google the issuer is known. */
type OauthClient = { clientId: string; clientSecret: string; issuer?: string; label?: string }

type Env = Readonly<Record<string, string | undefined>>

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** Reads the environment. Throws ConfigError at the first value that makes no sense. */
export function readConfig(env: Env): Config {
  const isProduction = env['NODE_ENV'] === 'production'
  const host = readHost(env)
  const publicUrl = readPublicUrl(env)
  const port = integer(env, 'PORT', 8080, 0, 65_535)
  const tlsPort = integer(env, 'BEY_TLS_PORT', 8443, 0, 65_535)
  if (port !== 0 && port === tlsPort) {
    throw new ConfigError(`PORT and BEY_TLS_PORT are both ${port}. Set BEY_TLS_PORT to another port.`)
  }
  const backupDir = text(env, 'BEY_BACKUP_DIR')
  return {
    isProduction,
    ...readRole(env),
    port,
    host,
    tlsPort,
    dataDir: resolve(repository, text(env, 'BEY_DATA_DIR') ?? 'data'),
    backupDir: backupDir === undefined ? undefined : resolve(repository, backupDir),
    backupMibPerSecond: integer(env, 'BEY_BACKUP_MIB_PER_SECOND', 0, 1, 100_000) || undefined,
    instanceBackup: readInstanceBackup(env, { text, integer, key: readSecretKey }),
    databaseUrl: readDatabaseUrl(env),
    peerAddress: readPeerAddress((name) => text(env, name)),
    publicUrl,
    hosts: readHosts(env),
    trustedProxies: readTrustedProxies(env),
    secretKey: readSecretKey(env, 'BEY_SECRET_KEY'),
    keyService: readKeyService((name) => text(env, name)),
    secretKeyPrevious: readSecretKey(env, 'BEY_SECRET_KEY_PREVIOUS'),
    developerEmail: readEmail(env) ?? (isProduction ? undefined : 'developer@bey.local'),
    signup: readSignup(env),
    oauth: readOauth(env),
    ...localSwitches(env, host, publicUrl),
    operatorToken: readOperatorToken(env),
    smtp: readSmtp(env),
    sandboxSpeed: readSpeed(env),
    ...readSandboxMemory(env),
    sandboxWebhooks: readWebhookTargets(text(env, 'BEY_SANDBOX_WEBHOOKS') ?? ''),
    outbound: readOutboundPolicy(text(env, 'BEY_OUTBOUND')),
    chaos: readChaos(env, isProduction),
    metrics: readRemoteStore((name) => text(env, name)),
    tracing: readTracing((name) => text(env, name)),
    chromium: text(env, 'BEY_CHROMIUM'),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    argon2: { memoryKib: 65_536, passes: 3 },
  }
}

/** Reads settings that let people in, for which this machine must be the only one that reaches the server. */
function localSwitches(env: Env, host: string, publicUrl: string | undefined) {
  const isSet = (name: string, effect: string): boolean => {
    if (oneOf(env, name, ['0', '1'] as const, '0') === '0') return false
    if (!isLoopback(host))
      throw new ConfigError(
        `${name}=1 ${effect}, so HOST must be a loopback address, not "${host}". Unset ${name} or set HOST=127.0.0.1.`,
      )
    if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return true
    throw new ConfigError(
      `${name}=1 ${effect}, so BEY_PUBLIC_URL must not be "${publicUrl}". Unset one of them.`,
    )
  }
  const godmode = isSet('BEY_GODMODE', 'lets anybody who reaches the server log in as anybody')
  return { godmode, demo: isSet('BEY_DEMO', 'prints an address that signs in without a password') }
}

/** Whether a host to listen on can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max)) {
    throw new ConfigError(`${name} is "${value}". Set ${name} to a whole number from ${min} to ${max}.`)
  }
  return number
}

function oneOf<const T extends string>(env: Env, name: string, allowed: readonly T[], fallback: T): T {
  const value = text(env, name)
  if (value === undefined) return fallback
  const found = allowed.find((each) => each === value.toLowerCase())
  if (found === undefined) throw new ConfigError(`${name} is "${value}". Set ${name} to ${orList(allowed)}.`)
  return found
}

function orList(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

function readHost(env: Env): string {
  const host = text(env, 'HOST') ?? '127.0.0.1'
  if (isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) return host
  throw new ConfigError(
    `HOST is "${host}". Set HOST to an IP address or host name of this machine, for example 127.0.0.1, or 0.0.0.0 for all.`,
  )
}

function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}

function readDatabaseUrl(env: Env): string | undefined {
  const value = text(env, 'DATABASE_URL')
  return value === undefined ? undefined : checkDatabaseUrl(value)
}

function readRole(env: Env): Pick<Config, 'role' | 'drainMs'> {
  const role = oneOf(env, 'BEY_ROLE', ['all', 'web', 'worker'] as const, 'all')
  if (role !== 'all' && text(env, 'DATABASE_URL') === undefined) {
    throw new ConfigError(
      `BEY_ROLE=${role} shares the work with other processes, but the embedded database belongs to one. Set DATABASE_URL to a PostgreSQL that all of them reach, or unset BEY_ROLE.`,
    )
  }
  const drainSeconds = integer(env, 'BEY_DRAIN_SECONDS', role === 'worker' ? 20 : 1, 0, 3_600)
  return { role, drainMs: drainSeconds * 1_000 }
}

function readPublicUrl(env: Env): string | undefined {
  const value = text(env, 'BEY_PUBLIC_URL')
  if (value === undefined) return undefined
  const url = parseUrl(value)
  const isUsable =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  if (!isUsable) {
    throw new ConfigError(
      `BEY_PUBLIC_URL is "${withoutCredentials(value)}". Set BEY_PUBLIC_URL to the address that browsers use, without a path, for example https://bey.example.com.`,
    )
  }
  return url.origin
}

function readHosts(env: Env): string[] {
  const hosts = (text(env, 'BEY_HOSTS')?.toLowerCase().split(',') ?? []).map((each) => each.trim())
  const wrong = hosts.find((each) => !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(each))
  if (wrong === undefined) return hosts
  throw new ConfigError(
    `BEY_HOSTS holds "${wrong}". Set BEY_HOSTS to names of hosts without port, separated by commas, for example bey.lan,bey.example.com.`,
  )
}

function readTrustedProxies(env: Env): string[] {
  const value = text(env, 'BEY_TRUSTED_PROXIES')
  const proxies = value?.split(',').map((each) => each.trim()) ?? []
  const wrong = proxies.find((each) => !isAddressBlock(each))
  if (wrong === undefined) return proxies
  throw new ConfigError(
    `BEY_TRUSTED_PROXIES holds "${wrong}". Set BEY_TRUSTED_PROXIES to the addresses or CIDR blocks of your proxies, separated by commas, for example 127.0.0.1,10.0.0.0/8.`,
  )
}

function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/** Whoever put a password there should not find it in a log. */
function withoutCredentials(address: string): string {
  return address.replace(/[^/]*@/, '…@')
}

function readSecretKey(env: Env, name: string): Buffer | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(value)
      ? Buffer.from(value, 'base64')
      : undefined
  if (key?.length !== 32) {
    throw new ConfigError(
      name === 'BEY_SECRET_KEY'
        ? 'BEY_SECRET_KEY is not a key. Set BEY_SECRET_KEY to 32 random bytes in base64 (openssl rand -base64 32), or unset it to use the key file in the data directory.'
        : name === 'BEY_BACKUP_KEY'
          ? 'BEY_BACKUP_KEY is not a key. Set BEY_BACKUP_KEY to 32 random bytes in base64, or unset it to encrypt backups with the root key.'
          : `${name} is not a key. Set ${name} to the key that was BEY_SECRET_KEY before, or to the text of the key file; unset it when every server has the new key.`,
    )
  }
  return key
}

function readEmail(env: Env): string | undefined {
  const value = text(env, 'BEY_DEVELOPER_EMAIL')
  if (value === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return value?.toLowerCase()
  throw new ConfigError(`BEY_DEVELOPER_EMAIL is "${value}". Set BEY_DEVELOPER_EMAIL to an e-mail address.`)
}

function readOperatorToken(env: Env): string | undefined {
  const value = text(env, 'BEY_OPERATOR_TOKEN')
  if (value === undefined || value.length >= 16) return value
  throw new ConfigError(
    'BEY_OPERATOR_TOKEN is too short. Set BEY_OPERATOR_TOKEN to at least 16 random characters.',
  )
}

function readSmtp(env: Env): Config['smtp'] {
  const address = text(env, 'BEY_SMTP_URL')
  const from = text(env, 'BEY_MAIL_FROM')
  if (address === undefined) return undefined
  const url = parseUrl(address)
  // The value is not repeated: it usually holds a password.
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new ConfigError(
      'BEY_SMTP_URL is not the address of a mail server. Set BEY_SMTP_URL to smtp://user:password@host:587, or smtps:// for TLS from the start, or unset it.',
    )
  }
  if (from === undefined || !isMailSender(from)) {
    throw new ConfigError(
      `BEY_MAIL_FROM is ${from === undefined ? 'not set' : `"${from}"`}. Set BEY_MAIL_FROM to the sender of mails, for example Bey <bey@example.com>.`,
    )
  }
  return { url: address, from }
}

function readSignup(env: Env): Config['signup'] {
  return text(env, 'BEY_SIGNUP') === undefined
    ? undefined
    : oneOf(env, 'BEY_SIGNUP', ['open', 'invite'], 'open')
}

function readOauth(env: Env): Config['oauth'] {
  const client = (prefix: string, issuerName?: string): OauthClient | undefined => {
    const clientId = text(env, `${prefix}_CLIENT_ID`)
    if (clientId === undefined) return undefined
    const clientSecret = text(env, `${prefix}_CLIENT_SECRET`)
    if (clientSecret === undefined) {
      throw new ConfigError(
        `${prefix}_CLIENT_ID is set without ${prefix}_CLIENT_SECRET. Set both, or neither.`,
      )
    }
    const issuer = issuerName && text(env, issuerName)
    if (issuer && !/^https?:$/.test(parseUrl(issuer)?.protocol ?? '')) {
      throw new ConfigError(
        `${issuerName} is "${withoutCredentials(issuer)}". Set ${issuerName} to the address of the provider, for example https://login.example.com.`,
      )
    }
    return { clientId, clientSecret, ...(issuer && { issuer: issuer.replace(/\/$/, '') }) }
  }
  const [github, google, oidc] = [
    client('BEY_GITHUB', 'BEY_GITHUB_URL'),
    client('BEY_GOOGLE'),
    client('BEY_OIDC', 'BEY_OIDC_ISSUER'),
  ]
  if (oidc && oidc.issuer === undefined) {
    throw new ConfigError(
      'BEY_OIDC_CLIENT_ID is set without BEY_OIDC_ISSUER. Set BEY_OIDC_ISSUER to the address of the provider.',
    )
  }
  const label = text(env, 'BEY_OIDC_NAME')?.slice(0, 40)
  return {
    ...(github && { github }),
    ...(google && { google }),
    ...(oidc && { oidc: { ...oidc, ...(label && { label }) } }),
  }
}

function readSpeed(env: Env): number {
  const value = text(env, 'BEY_SANDBOX_SPEED')
  if (value === undefined) return 1
  const speed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (speed >= 0.1 && speed <= 1000) return speed
  throw new ConfigError(
    `BEY_SANDBOX_SPEED is "${value}". Set BEY_SANDBOX_SPEED to a number from 0.1 to 1000.`,
  )
}

function readSandboxMemory(env: Env): Pick<Config, 'sandboxMemoryMib' | 'sandboxBudgetMib'> {
  const sandboxMemoryMib = integer(env, 'BEY_SANDBOX_MEMORY_MIB', 512, 192, 65_536)
  if (text(env, 'BEY_SANDBOX_BUDGET_MIB') === undefined)
    return { sandboxMemoryMib, sandboxBudgetMib: undefined }
  const sandboxBudgetMib = integer(env, 'BEY_SANDBOX_BUDGET_MIB', 0, 192, 16_777_216)
  if (sandboxBudgetMib >= sandboxMemoryMib) return { sandboxMemoryMib, sandboxBudgetMib }
  throw new ConfigError(
    `BEY_SANDBOX_BUDGET_MIB is ${sandboxBudgetMib}, but one sandbox may take ${sandboxMemoryMib} MiB. Set BEY_SANDBOX_BUDGET_MIB to at least BEY_SANDBOX_MEMORY_MIB.`,
  )
}

function readChaos(env: Env, isProduction: boolean): Config['chaos'] {
  const percent = integer(env, 'CHAOS', 0, 0, 100)
  const seed = integer(env, 'CHAOS_SEED', 1, 0, 999_999_999)
  if (percent === 0) return undefined
  if (!isProduction) return { percent, seed }
  throw new ConfigError(
    `CHAOS=${percent} makes requests fail at random, which nobody wants in production. Unset CHAOS, or run npm run dev.`,
  )
}
