import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFrame, Command, EventFrame, Subscription } from '@bey/contract'
import { afterAll } from 'vitest'
import { WebSocket } from 'ws'
import { sessionAuthenticator } from '../authenticate.ts'
import { createLive, type LiveOptions } from '../live.ts'
import { realClock } from '../../clock.ts'
import type { Database } from '../../db/database.ts'
import { routeUpgrades } from '../../http/upgrades.ts'
import { createLog } from '../../log.ts'
import type { GivenUser } from '../../../testing/given.ts'

type Frame = { type: string; id?: string; payload?: Record<string, unknown>; data?: unknown }

/** A process that serves `/ws` over the database, closed after the last test. */
export async function liveServer(database: Database, options: Partial<LiveOptions> = {}) {
  const live = await createLive({
    database,
    clock: realClock,
    log: createLog({ level: 'silent' }),
    version: '0.1.0',
    origins: { publicUrl: undefined, hosts: [] },
    authenticate: sessionAuthenticator(database),
    canFollow: async () => true,
    ...options,
  })
  const server = createServer()
  routeUpgrades(server, [live.upgrade])
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    await live.close()
    await new Promise((resolve) => server.close(resolve))
  }
  afterAll(close)
  return { live, server, url: urlOf(server) }
}

function urlOf(server: Server): string {
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`
}

export type TestSocket = Awaited<ReturnType<typeof openSocket>>

/** A socket that keeps what it gets. Waiting for something that never comes ends with the test's time-out. */
export async function openSocket(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const changed = () => waiting.forEach((check) => check())
  const state: { closed?: { code: number; reason: string } } = {}
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame)
    changed()
  })
  socket.on('close', (code, reason) => {
    state.closed = { code, reason: reason.toString() }
    changed()
  })
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(`HTTP ${response.statusCode}`)),
    )
  })

  function until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = find()
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  }

  let commands = 0
  const send = (frame: ClientFrame | object | string) =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))

  async function command(payload: Command | object) {
    commands += 1
    const id = `command ${commands}`
    send({ type: 'COMMAND', id, payload })
    const result = await until(() => frames.find((each) => each.type === 'COMMAND_RESULT' && each.id === id))
    return result.payload as { success: boolean; error?: string }
  }

  return {
    socket,
    frames,
    send,
    until,
    closed: () => until(() => state.closed),
    isClosed: () => state.closed !== undefined,
    /** The first frame of a type, when it comes. */
    frame: (type: string) => until(() => frames.find((each) => each.type === type)),
    events: (type: string) => frames.filter((each) => each.type === type) as unknown as EventFrame[],
    command,
    follow: (payload: Subscription | object) => command({ type: 'SUBSCRIBE', payload }),
    leave: (payload: Subscription | object) => command({ type: 'UNSUBSCRIBE', payload }),
    async authenticate(token: string, organizationId: number) {
      send({ type: 'AUTHENTICATE', payload: { token, organizationId } })
      return until(() => frames.find((each) => each.type === 'AUTHENTICATED'))
    },
  }
}

/** A socket of a user, authenticated for the organization it was made in. */
export async function connect(url: string, user: GivenUser, organizationId = user.organizationId) {
  const socket = await openSocket(url)
  await socket.authenticate(user.token, organizationId)
  return socket
}

/** Everything that was sent to a socket before has arrived: a PING is answered after it. */
export async function flushed(socket: TestSocket): Promise<void> {
  const id = `flush ${Math.random()}`
  socket.send({ type: 'PING', id, payload: { timestamp: 0 } })
  await socket.until(() => socket.frames.find((frame) => frame.type === 'PONG' && frame.id === id))
}
