import { isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { AbstractConnector, Redis } from 'ioredis'

import type { ExternalTarget, WatchedServers } from '../../../features/databases/provider.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { GuardedSocket } from '../../../platform/outbound/guarded-socket.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { countCommands, readRedis } from './redis-figures.ts'
import { redisProblemOf } from './redis-problems.ts'

type Stream = ReturnType<typeof connectTls> | GuardedSocket

const connectTimeoutMs = 10_000
const commandTimeoutMs = 10_000

/** Asks one command; the answer has the shape that the command documents. */
export type AskRedis = (command: string, ...args: (string | number)[]) => Promise<unknown>

/** Servers of Redis and Valkey, reached over addresses that this machine may connect to. */
export function createRedisServers({ outbound }: { outbound: Outbound }): WatchedServers {
  return {
    async connect(target, name) {
      const isEncrypted = target.tls !== 'disable'
      let client: Redis | undefined
      try {
        const stream = await openStream(new GuardedSocket(outbound), target, isEncrypted)
        const opened = clientOver(stream)
        client = opened
        const failed = new Promise<never>((_resolve, reject) => opened.on('error', reject))
        // Lost while nothing is asked; the next command fails and says so.
        failed.catch(() => undefined)
        let asked = 0
        const ask: AskRedis = async (command, ...args) => {
          asked += 1
          const answer = opened.call(command, ...args.map(String)).catch((error: unknown) => {
            // ioredis keeps the words of the command in its error, a password among them.
            if (error instanceof Error) Reflect.deleteProperty(error, 'command')
            throw error
          })
          return Promise.race([answer, failed])
        }
        if (target.password !== null) await ask('AUTH', target.username, target.password)
        // Asks for a right even where no password was given: the server says then that it needs one.
        await ask('SELECT', target.databaseName)
        await ask('CLIENT', 'SETNAME', name).catch(() => undefined)
        return {
          isEncrypted,
          async read(at) {
            try {
              const reading = await readRedis(ask, at)
              return { ...reading, ownStatements: asked }
            } catch (error) {
              throw asProblem(error, target)
            }
          },
          countStatements: (at) => countCommands(ask, at),
          async end() {
            opened.disconnect()
            await Promise.resolve()
          },
        }
      } catch (error) {
        client?.disconnect()
        throw asProblem(error, target)
      }
    },
  }
}

const asProblem = (error: unknown, target: ExternalTarget) =>
  error instanceof ConnectionProblem
    ? error
    : new ConnectionProblem(redisProblemOf(error, target), { cause: error })

/** A client over a connection that is open; it never connects again by itself. */
function clientOver(stream: Stream): Redis {
  class OpenConnector extends AbstractConnector {
    constructor() {
      super(2_000)
    }

    override connect() {
      this.stream = stream
      return Promise.resolve(stream)
    }
  }
  return new Redis({
    Connector: OpenConnector,
    protocol: 2,
    commandTimeout: commandTimeoutMs,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    // Both would be commands before the login.
    enableReadyCheck: false,
    disableClientInfo: true,
  })
}

function openStream(socket: GuardedSocket, target: ExternalTarget, isEncrypted: boolean): Promise<Stream> {
  const { host, port, tls, caPem } = target
  socket.connect(port, host)
  const stream: Stream = isEncrypted
    ? connectTls({
        socket,
        host,
        rejectUnauthorized: tls === 'verify-ca' || tls === 'verify-full',
        ...(caPem !== null && { ca: caPem }),
        ...(tls === 'verify-ca' && { checkServerIdentity: () => undefined }),
        ...(isIP(host) === 0 && { servername: host }),
      })
    : socket
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      stream.destroy()
      socket.destroy()
      reject(error)
    }
    const late = setTimeout(
      // A Redis without TLS waits for the end of a line that never comes.
      () => fail(Object.assign(new Error('no answer'), { code: socket.pending ? 'ETIMEDOUT' : 'EPROTO' })),
      connectTimeoutMs,
    )
    socket.once('error', fail)
    stream.once('error', fail)
    stream.once('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    stream.once(isEncrypted ? 'secureConnect' : 'connect', () => resolve(stream))
    stream.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(late))
    stream.once('close', () => clearTimeout(late))
  })
}
