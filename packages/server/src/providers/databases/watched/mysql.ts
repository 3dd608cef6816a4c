import { isIP } from 'node:net'

import { createConnection, type Connection, type RowDataPacket, type SslOptions } from 'mysql2/promise'

import type {
  ExternalTarget,
  WatchedConnection,
  WatchedServers,
} from '../../../features/databases/provider.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { GuardedSocket } from '../../../platform/outbound/guarded-socket.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { type AskMysql, readMysql } from './mysql-figures.ts'
import { mysqlProblemOf } from './mysql-problems.ts'
import { countMysqlStatements } from './mysql-statements.ts'

const connectTimeoutMs = 10_000
const queryTimeoutMs = 15_000

/** Servers of MySQL and MariaDB, reached over addresses that this machine may connect to. */
export function createMysqlServers({ outbound }: { outbound: Outbound }): WatchedServers {
  async function open(target: ExternalTarget, isEncrypted: boolean): Promise<WatchedConnection> {
    const socket = new GuardedSocket(outbound)
    socket.connect(target.port, target.host)
    // mysql2 gives no name to check a certificate against where the host is an address; Node then takes this one.
    Object.assign(socket, { _host: target.host })
    // A server that is silent, or a port of another program: only the bytes tell them apart.
    let hasConnected = false
    socket.once('connect', () => (hasConnected = true))
    try {
      const connection = await createConnection({
        host: target.host,
        port: target.port,
        user: target.username,
        password: target.password ?? '',
        database: target.databaseName,
        connectTimeout: connectTimeoutMs,
        stream: () => socket,
        // A server may ask its client for files of this machine.
        flags: ['-LOCAL_FILES'],
        dateStrings: true,
        supportBigNumbers: true,
        ...(isEncrypted && { ssl: tlsOf(target) }),
      })
      return watch(connection, isEncrypted, target)
    } catch (error) {
      socket.destroy()
      const isSilent = hasConnected && socket.bytesRead === 0
      throw isSilent ? Object.assign(new Error('no greeting'), { code: 'EGREETING' }) : error
    }
  }

  return {
    async connect(target) {
      try {
        if (target.tls === 'disable') return await open(target, false)
        return await open(target, true).catch((error: unknown) => {
          const isWithoutTls = (error as { code?: unknown }).code === 'HANDSHAKE_NO_SSL_SUPPORT'
          if (target.tls === 'prefer' && isWithoutTls) return open(target, false)
          throw error
        })
      } catch (error) {
        throw new ConnectionProblem(mysqlProblemOf(error, target), { cause: error })
      }
    },
  }
}

function watch(connection: Connection, isEncrypted: boolean, target: ExternalTarget): WatchedConnection {
  // A connection that is lost while nothing is asked; the next question fails and says so.
  connection.on('error', () => undefined)
  let asked = 0
  const ask: AskMysql = async <R extends object>(sql: string, values: readonly unknown[] = []) => {
    asked += 1
    const [rows] = await connection.query<RowDataPacket[]>(
      { sql, timeout: queryTimeoutMs },
      values as unknown[],
    )
    return rows as unknown as R[]
  }
  return {
    isEncrypted,
    async read(at) {
      const reading = await readMysql(ask, target, at)
      return { ...reading, ownStatements: asked }
    },
    countStatements: () => countMysqlStatements(ask, target),
    async end() {
      // The goodbye of a server that hangs is not waited for.
      connection.destroy()
      await Promise.resolve()
    },
  }
}

function tlsOf({ tls, caPem, host }: ExternalTarget): SslOptions {
  return {
    rejectUnauthorized: tls === 'verify-ca' || tls === 'verify-full',
    verifyIdentity: tls === 'verify-full',
    ...(caPem !== null && { ca: caPem }),
    ...(isIP(host) === 0 && { minVersion: 'TLSv1.2' }),
  }
}
