import type { Duplex } from 'node:stream'

import pg from 'pg'

import type { CnpgServers, CnpgTarget, OpenConnection } from '../../features/databases/provider.ts'
import { AppError } from '../../platform/errors.ts'
import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'
import { problemOf } from './connection-problems.ts'

const postgresPort = 5_432
const connectTimeoutMs = 10_000
const queryTimeoutMs = 15_000

/** Clusters of CloudNativePG, reached through the API of the cluster that they run on. */
export function createCnpgDatabases(clusters: () => CnpgServers['clusters']): CnpgServers {
  async function open(
    target: CnpgTarget,
    pod: string,
    applicationName: string,
    isEncrypted: boolean,
  ): Promise<OpenConnection> {
    const { databaseName, username, password } = target
    const stream = await target.openPort(pod, postgresPort)
    const client = new pg.Client({
      host: pod,
      database: databaseName,
      user: username,
      // A function: with undefined, the client would look for a password in the environment and in files.
      password: () => password ?? '',
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      stream: () => asSocket(stream),
      // The way to the pod is encrypted and checked already; its certificate is for names inside the cluster.
      ssl: isEncrypted ? { rejectUnauthorized: false } : false,
    })
    // A connection that is lost while nobody asks; the next question fails and says so.
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      client.end().catch(() => undefined)
      stream.destroy()
      throw error
    }
    return {
      client,
      query: (text, values) =>
        // The types of pg leave out that a query may have a time of its own.
        client.query({ text, values: values as unknown[], query_timeout: queryTimeoutMs } as pg.QueryConfig),
      isEncrypted,
      end: () => client.end(),
    }
  }

  const openEither = (target: CnpgTarget, pod: string, name: string) =>
    open(target, pod, name, false).catch((error: unknown) => {
      // Its pg_hba.conf may admit encrypted connections alone.
      if ((error as { code?: unknown }).code === '28000') return open(target, pod, name, true)
      throw error
    })

  /** After a failover the pod may be a replica, or gone: the cluster is asked who is the primary now. */
  async function connect(target: CnpgTarget, applicationName: string): Promise<OpenConnection> {
    const known = target.primary ?? (await target.readPrimary())
    const first = await openEither(target, known, applicationName).catch((error: unknown) => {
      if (isOfServer(error)) throw error
      return error
    })
    const connection = isConnection(first) ? first : undefined
    if (connection !== undefined && !(await isReplica(connection))) return connection
    const primary = await target.readPrimary()
    if (primary === known) {
      // A replica cluster has no server that can be written.
      if (connection !== undefined) return connection
      throw first
    }
    await connection?.end()
    return openEither(target, primary, applicationName)
  }

  return {
    get clusters() {
      return clusters()
    },
    async connect(target, applicationName) {
      try {
        return await connect(target, applicationName)
      } catch (error) {
        if (error instanceof ConnectionProblem || error instanceof AppError) throw error
        const place = { ...target, host: target.name, port: postgresPort, tls: 'prefer' } as const
        throw new ConnectionProblem(problemOf(error, place), { cause: error })
      }
    },
  }
}

const isConnection = (value: unknown): value is OpenConnection =>
  typeof value === 'object' && value !== null && 'client' in value

/** PostgreSQL itself refused, for a reason that another pod would have as well: a password, or an unknown database. */
const isOfServer = (error: unknown) => /^(28|3D|42|53)/.test(String((error as { code?: unknown }).code))

async function isReplica(connection: OpenConnection): Promise<boolean> {
  const { rows } = await connection.query<{ is: boolean }>('select pg_catalog.pg_is_in_recovery() as is')
  return rows[0]?.is === true
}

/** A stream that is connected already, with what `pg` asks of a socket. */
function asSocket(stream: Duplex): Duplex {
  const self = () => stream
  return Object.assign(stream, {
    connect() {
      queueMicrotask(() => stream.emit('connect'))
      return stream
    },
    setNoDelay: self,
    setKeepAlive: self,
    ref: self,
    unref: self,
  })
}
