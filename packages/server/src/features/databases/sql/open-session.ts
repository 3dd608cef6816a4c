import { createHmac } from 'node:crypto'
import { databaseCan, engineRefusal } from '@bey/contract'
import pg from 'pg'

import { AppError } from '../../../platform/errors.ts'
import { openCnpg } from '../cnpg/open-cnpg.ts'
import { dumperName, ensureDumper } from '../dumps/dumper-role.ts'
import { targetOf } from '../look-at-external.ts'
import { openEmbedded } from '../open-connection.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { DatabasePlacement } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import { ensureMonitor, monitorRole } from '../insight/monitor-role.ts'
import { ensureReader, readerName } from './reader-role.ts'

export type SqlMode = 'read' | 'write'
/** `monitor`: as a role that sees what others do, and may end it. `dump`: as one that reads all there is. */
export type SessionMode = SqlMode | 'monitor' | 'dump'
export type SessionParts = Pick<DatabaseParts, 'providers' | 'credentials'>

const connectTimeoutMs = 10_000

/** The name of a session in the server's own views while its statement is executed, by which it is found to be cancelled. */
export const sessionName = (queryId: string) => `bey-sql ${queryId}`

/** The name of a session of the SQL console that does not execute its statement yet. */
export const preparingName = 'bey-sql'

/**
 * A connection for a person or for the monitor: in a server of Bey's as a role that cannot write, as the owner, or as the
 * role of the monitor; in another one as the user that was given. Throws AppError `conflict` for a database that is not running, and
 * `database_unreachable` with the cause in words.
 */
export async function openSession(
  parts: SessionParts,
  row: DatabaseRow,
  mode: SessionMode,
  name: string,
): Promise<pg.Client> {
  const refusal = engineRefusal(row) ?? databaseCan.connect(row)
  if (refusal !== undefined) throw new AppError('conflict', `The database "${row.name}": ${refusal}`)
  try {
    const { credentialSecretId: secret, organizationId } = row
    const password = secret === null ? null : (await parts.credentials.read(organizationId, secret)).password
    if (row.provider === 'cnpg') return (await openCnpg(parts.providers, row, password, name)).client
    const target = targetOf(row)
    if (row.provider === 'external' && target !== undefined) {
      const connection = await parts.providers.external.connect({ ...target, password }, name)
      return connection.client
    }
    const placement = placementOf(row)
    if (placement === null || password === null) throw new ConnectionProblem('It has no server yet.')
    if (!parts.providers.embedded.isHere(placement)) {
      throw new ConnectionProblem('Its server runs on another machine than the one that you asked.')
    }
    return await openOwn(parts, row, placement, password, mode, name)
  } catch (error) {
    throw failureOf(row.name, error)
  }
}

/** A failure of the connection as an answer; anything else stays what it is. */
export function failureOf(name: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const isOfConnection =
    error instanceof ConnectionProblem ||
    'code' in error ||
    /connection|timeout|client was closed/i.test(error.message)
  if (!isOfConnection) return error
  return new AppError('database_unreachable', `The database "${name}" does not answer: ${error.message}`, {
    cause: error,
  })
}

async function openOwn(
  { providers }: SessionParts,
  row: DatabaseRow,
  placement: DatabasePlacement,
  password: string,
  mode: SessionMode,
  name: string,
): Promise<pg.Client> {
  const connect = async (user: string, secret: string) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: placement.port,
      database: row.databaseName,
      user,
      password: secret,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  if (mode === 'write') return connect(row.username, password)
  const { role, ensure } = derivedRoles[mode]
  const secret = derivedPassword(password, mode)
  try {
    return await connect(role, secret)
  } catch (error) {
    // It is made at its first use, and follows the owner's password.
    if ((error as { code?: unknown }).code !== '28P01') throw error
    const admin = await openEmbedded(providers.embedded, placement, row.databaseName)
    try {
      await ensure(admin, secret)
    } finally {
      await admin.end()
    }
    return connect(role, secret)
  }
}

const derivedRoles = {
  read: { role: readerName, ensure: ensureReader, context: 'bey sql reader' },
  monitor: { role: monitorRole, ensure: ensureMonitor, context: 'bey monitor' },
  dump: { role: dumperName, ensure: ensureDumper, context: 'bey dump' },
} as const

/** How a program logs in as a role that Bey made for itself, once a session of that mode was opened. */
export function derivedLogin(ownerPassword: string, mode: keyof typeof derivedRoles) {
  return { username: derivedRoles[mode].role, password: derivedPassword(ownerPassword, mode) }
}

/** Derived, so that no second password has to be kept: whoever holds the owner's may do as much anyway. */
function derivedPassword(ownerPassword: string, mode: keyof typeof derivedRoles): string {
  return createHmac('sha256', ownerPassword).update(derivedRoles[mode].context).digest('base64url')
}
