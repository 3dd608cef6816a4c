import { databaseCan } from '@bey/contract'
import { DatabaseError } from 'pg'

import { AppError } from '../../../platform/errors.ts'
import { monitorName, openEmbedded } from '../open-connection.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { failureOf, openSession, type SessionMode } from '../sql/open-session.ts'
import type { DatabaseRow } from '../store.ts'

export type ManageParts = Pick<DatabaseParts, 'database' | 'providers' | 'credentials'>

/** Asks a server as its administrator. Values go into `values`; names only through `escapeIdentifier`. */
export type Admin = {
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: R[] }>
}

type Ended = Admin & { end(): Promise<void> }

/**
 * Works in a server with the most rights that Bey has there: all of them in a server of Bey's, those of the user of the
 * connection elsewhere. Names are looked up in PostgreSQL's schema alone. Throws AppError `conflict` with the words of the
 * server where it refuses, and `database_unreachable` where it does not answer.
 */
export async function withAdmin<T>(
  parts: ManageParts,
  row: DatabaseRow,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const refusal = databaseCan.connect(row)
  if (refusal !== undefined) throw new AppError('conflict', `The database "${row.name}": ${refusal}`)
  return working(row, await open(parts, row), work)
}

/**
 * Works in a server with the rights of a mode of `openSession`. Whatever reads or writes rows of its owner does so by this one,
 * never by `withAdmin`: triggers, views, defaults and casts run what the owner wrote. Throws AppError as `withAdmin`.
 */
export async function withSession<T>(
  parts: ManageParts,
  row: DatabaseRow,
  mode: SessionMode,
  work: (session: Admin) => Promise<T>,
): Promise<T> {
  return working(row, await openAs(parts, row, mode, monitorName), work)
}

async function working<T>(row: DatabaseRow, admin: Ended, work: (admin: Admin) => Promise<T>): Promise<T> {
  try {
    return await work(admin)
  } catch (error) {
    throw error instanceof DatabaseError ? refusalOf(row, error) : failureOf(row.name, error)
  } finally {
    admin.end().catch(() => undefined)
  }
}

async function open(parts: ManageParts, row: DatabaseRow): Promise<Ended> {
  const placement = placementOf(row)
  if (row.provider === 'embedded') {
    if (placement === null || !parts.providers.embedded.isHere(placement)) {
      throw new AppError('database_unreachable', `The server of "${row.name}" runs on another machine.`)
    }
    try {
      return await openEmbedded(parts.providers.embedded, placement, row.databaseName)
    } catch (error) {
      throw failureOf(row.name, error)
    }
  }
  return openAs(parts, row, 'write', 'bey-sql manage')
}

async function openAs(parts: ManageParts, row: DatabaseRow, mode: SessionMode, name: string): Promise<Ended> {
  const client = await openSession(parts, row, mode, name)
  await client.query('set search_path = pg_catalog')
  await client.query('set statement_timeout = 60000')
  return {
    query: (text, values) => client.query(text, values as unknown[]),
    end: () => client.end(),
  }
}

/** What the server said, with what helps where that is known. */
function refusalOf(row: DatabaseRow, error: DatabaseError): AppError {
  const { code = '', message, detail } = error
  const said = `${message}${detail === undefined ? '' : `: ${detail.replaceAll('\n', '; ')}`}`
  const help =
    code === '42501' && row.provider !== 'embedded'
      ? ` The user "${row.username}" of the connection lacks this right: connect with one that has it.`
      : ''
  const kind = ['42710', '42P04', '42P06'].includes(code) ? 'name_taken' : 'conflict'
  return new AppError(kind, `PostgreSQL refused it: ${said.replace(/\.?$/, '.')}${help}`, { cause: error })
}
