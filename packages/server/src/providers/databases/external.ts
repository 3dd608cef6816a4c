import type { ConnectionOptions } from 'node:tls'

import pg from 'pg'

import type { ExternalServers, ExternalTarget, OpenConnection } from '../../features/databases/provider.ts'
import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'
import { GuardedSocket } from '../../platform/outbound/guarded-socket.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { problemOf } from './connection-problems.ts'

const connectTimeoutMs = 10_000
const queryTimeoutMs = 15_000

/** Servers that somebody else runs, reached over addresses that this machine may connect to. */
export function createExternalDatabases({ outbound }: { outbound: Outbound }): ExternalServers {
  async function open(
    target: ExternalTarget,
    applicationName: string,
    isEncrypted: boolean,
  ): Promise<OpenConnection> {
    const client = new pg.Client({
      host: target.host,
      port: target.port,
      database: target.databaseName,
      user: target.username,
      // A function: with undefined, the client would look for a password in the environment and in files.
      password: () => target.password ?? '',
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      stream: () => new GuardedSocket(outbound),
      ssl: isEncrypted ? tlsOf(target) : false,
    })
    // A connection that is lost while nobody asks; the next question fails and says so.
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    return {
      client,
      query: (text, values) => client.query(text, values as unknown[]),
      isEncrypted,
      end: () => client.end(),
    }
  }

  return {
    async connect(target, applicationName) {
      try {
        if (target.tls === 'disable') return await open(target, applicationName, false)
        return await open(target, applicationName, true).catch((error: unknown) => {
          if (target.tls === 'prefer' && isWithoutTls(error)) return open(target, applicationName, false)
          throw error
        })
      } catch (error) {
        throw new ConnectionProblem(problemOf(error, target), { cause: error })
      }
    },
  }
}

function tlsOf({ tls, caPem, host }: ExternalTarget): ConnectionOptions {
  const isChecked = tls === 'verify-ca' || tls === 'verify-full'
  return {
    rejectUnauthorized: isChecked,
    ...(caPem !== null && caPem.trim() !== '' && { ca: caPem }),
    ...(tls === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
  }
}

const isWithoutTls = (error: unknown) =>
  error instanceof Error && error.message.includes('does not support SSL')
