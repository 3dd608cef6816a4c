import { type DatabaseConnection, type DatabaseTlsMode, databaseTlsModes } from '@bey/contract'

import { AppError } from '../../platform/errors.ts'
import type { ExternalTarget } from './provider.ts'

/** Parameters that change nothing about how a server is reached. */
const ignored = ['application_name', 'connect_timeout', 'target_session_attrs', 'channel_binding']

/** Reads a connection string as libpq does. Throws AppError `invalid_request` that names what is wrong in it. */
export function parseConnection({ uri, caPem }: DatabaseConnection): ExternalTarget {
  if (!URL.canParse(uri))
    throw invalid('This is no address. Write postgresql://user:password@host:5432/database.')
  const url = new URL(uri)
  if (url.hostname === '')
    throw invalid('The host is missing. Write postgresql://user:password@host:5432/database.')
  if (url.hostname.includes(',') || /,/.test(url.host))
    throw invalid('Name one host: Bey does not choose between several.')
  if (url.username === '')
    throw invalid('The user is missing before the host: postgresql://user:password@host.')
  const username = decode(url.username)
  const databaseName = decode(url.pathname.replace(/^\//, '')) || username
  for (const name of url.searchParams.keys()) {
    if (name === 'sslmode' || ignored.includes(name)) continue
    if (name === 'sslrootcert') {
      throw invalid(
        'Bey cannot read the file of sslrootcert. Leave it out, and paste the certificates below.',
      )
    }
    throw invalid('Of the parameters only sslmode is supported here. Leave the others out.')
  }
  const password = decode(url.password)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 5432 : Number(url.port),
    databaseName,
    username,
    password: password === '' ? null : password,
    tls: tlsOf(url.searchParams.get('sslmode')),
    caPem: caPem === undefined || caPem.trim() === '' ? null : caPem.trim(),
  }
}

function tlsOf(text: string | null): DatabaseTlsMode {
  if (text === null || text === 'allow') return 'prefer'
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
