import {
  type DatabaseConnection,
  type DatabaseEngine,
  type DatabaseTlsMode,
  databaseTlsModes,
  defaultPort,
  engineFamily,
  engineOfUri,
  type EngineFamily,
} from '@bey/contract'

import { AppError } from '../../platform/errors.ts'
import type { ExternalTarget } from './provider.ts'

/** Parameters that change nothing about how a server is reached. */
const ignored = ['application_name', 'connect_timeout', 'target_session_attrs', 'channel_binding']

const examples: Readonly<Record<EngineFamily, string>> = {
  postgres: 'postgresql://user:password@host:5432/database',
  mysql: 'mysql://user:password@host:3306/database',
  redis: 'redis://user:password@host:6379/0',
}

/**
 * Reads a connection string as libpq does, or as clients of the other engines do. Throws AppError `invalid_request` that
 * names what is wrong in it.
 */
export function parseConnection({ uri, caPem }: DatabaseConnection): ExternalTarget {
  // The schema asks for a beginning that is known.
  const engine = engineOfUri(uri) ?? 'postgres'
  const family = engineFamily(engine)
  const example = examples[family]
  if (!URL.canParse(uri)) throw invalid(`This is no address. Write ${example}.`)
  const url = new URL(uri)
  if (url.hostname === '') throw invalid(`The host is missing. Write ${example}.`)
  if (url.hostname.includes(',') || /,/.test(url.host))
    throw invalid('Name one host: Bey does not choose between several.')
  const username = decode(url.username) || (family === 'redis' ? 'default' : '')
  if (username === '') throw invalid(`The user is missing before the host. Write ${example}.`)
  const tls = tlsOf(url, family)
  const password = decode(url.password)
  return {
    engine,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPort(engine) : Number(url.port),
    databaseName: databaseNameOf(url, engine, username),
    username,
    password: password === '' ? null : password,
    tls,
    caPem: caPem === undefined || caPem.trim() === '' ? null : caPem.trim(),
  }
}

function databaseNameOf(url: URL, engine: DatabaseEngine, username: string): string {
  const name = decode(url.pathname.replace(/^\//, ''))
  switch (engineFamily(engine)) {
    case 'postgres':
      return name || username
    case 'mysql':
      if (name === '') throw invalid(`The database is missing after the host. Write ${examples.mysql}.`)
      return name
    case 'redis':
      if (name !== '' && !/^\d{1,5}$/.test(name)) {
        throw invalid('A database of Redis is a number, such as 0, after the host.')
      }
      return name || '0'
  }
}

/** MySQL's own words for what libpq calls `sslmode`. */
const sslModes: Readonly<Record<string, DatabaseTlsMode>> = {
  DISABLED: 'disable',
  PREFERRED: 'prefer',
  REQUIRED: 'require',
  VERIFY_CA: 'verify-ca',
  VERIFY_IDENTITY: 'verify-full',
}

function tlsOf(url: URL, family: EngineFamily): DatabaseTlsMode {
  const words = { postgres: 'sslmode is', mysql: 'sslmode and ssl-mode are', redis: 'sslmode is' }[family]
  for (const name of url.searchParams.keys()) {
    if (name === 'sslmode' || (family === 'mysql' && name === 'ssl-mode')) continue
    if (family === 'postgres' && ignored.includes(name)) continue
    if (name === 'sslrootcert' || name === 'ssl-ca') {
      throw invalid(`Bey cannot read the file of ${name}. Leave it out, and paste the certificates below.`)
    }
    throw invalid(`Of the parameters only ${words} supported here. Leave the others out.`)
  }
  const own = url.searchParams.get('ssl-mode')
  if (own !== null) {
    const mode = sslModes[own.toUpperCase()]
    if (mode === undefined)
      throw invalid(`There is no such ssl-mode. Use ${Object.keys(sslModes).join(', ')}.`)
    return mode
  }
  const mode = sslmodeOf(url.searchParams.get('sslmode'))
  if (family !== 'redis') return mode ?? 'prefer'
  // Redis does not negotiate: the beginning of the address decides whether TLS is spoken.
  const isEncrypted = /^(rediss|valkeys):$/.test(url.protocol)
  if (!isEncrypted) {
    if (mode === undefined || mode === 'disable') return 'disable'
    throw invalid(`To encrypt the connection, begin with ${url.protocol.slice(0, -1)}s://.`)
  }
  if (mode === 'disable' || mode === 'prefer') {
    throw invalid(
      `An address that begins with ${url.protocol}// is always encrypted. Use sslmode=require or verify-full.`,
    )
  }
  return mode ?? 'verify-full'
}

function sslmodeOf(text: string | null): DatabaseTlsMode | undefined {
  if (text === null) return undefined
  if (text === 'allow') return 'prefer'
  const mode = databaseTlsModes.find((each) => each === text)
  if (mode !== undefined) return mode
  throw invalid(`There is no such sslmode. Use ${databaseTlsModes.join(', ')}.`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw invalid(
      'A percent sign in it does not begin a code such as %40. Write a percent sign as %25.',
      error,
    )
  }
}

function invalid(message: string, cause?: unknown): AppError {
  const path = 'connection.uri'
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }], cause })
}
