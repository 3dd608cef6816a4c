import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { listen } from '../packages/server/src/platform/live/listener.ts'
import { publish } from '../packages/server/src/platform/live/publish.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { cpuPerEvent } from './live-crowd.ts'
import { cpuOfFloor } from './live-floor.ts'
import { report } from './figure.ts'

const users = 10
const socketsPerUser = 20
const warmUp = 50
const counted = 200
const pauseMs = 15
const crowds = [200, 2_000, 10_000]

/**
 * From the commit of an event to each of 200 sockets of the running product, against a bare NOTIFY on the same database;
 * and the CPU that an event costs the server with ever more sockets.
 */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const log = createLog({ level: 'error' })
  const database = await openDatabase({ dataDir }, log)
  const bey = await startBey({
    // Thousands of sockets come from one address here.
    main: 'packages/server/src/testing/browser-test-server.ts',
    env: { DATABASE_URL: database.url },
  })
  const { organizationId, sockets, arrivals } = await connectAll(database, bey.url)
  const bare = await bareRoundTrip(database)
  const bareMs: number[] = []
  const liveMs: number[] = []
  for (let round = 0; round < warmUp + counted; round += 1) {
    const bareTook = await bare.once()
    const liveTook = await onceThroughProduct(database, organizationId, arrivals)
    if (round >= warmUp) {
      bareMs.push(bareTook)
      liveMs.push(...liveTook)
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  print('bare NOTIFY, commit → listener', bareMs)
  print(`commit → each of ${sockets.length} sockets`, liveMs)
  report({
    name: `commit to each of ${sockets.length} sockets, p95`,
    value: quantile(liveMs, 0.95),
    unit: 'ms',
    goal: 50,
    cause: 'sockets are written to one after the other, and their clients run on the same processors',
    detail: `${(quantile(liveMs, 0.95) / quantile(bareMs, 0.95)).toFixed(1)} × a bare NOTIFY`,
  })
  for (const socket of sockets) socket.close()
  for (const crowd of crowds) {
    const { usedMs, text } = await cpuPerEvent(database, bey, crowd)
    reportCrowd(crowd, usedMs, await cpuOfFloor(text, crowd))
  }
  await bare.stop()
  await bey.stop()
  await database.close()
  removeData(bey)
  rmSync(dataDir, { recursive: true, force: true })
}

/** What an event costs beside the floor: the same bytes to as many sockets of a process that does nothing else. */
function reportCrowd(crowd: number, usedMs: number, floor: Record<'bare' | 'ws', number>): void {
  const sockets = `${crowd.toLocaleString('en')} sockets`
  const of2000 = (ms: number) => (ms / crowd) * 2_000
  report({
    name: `CPU of an event to ${sockets}, against bare TCP`,
    value: usedMs / floor.bare,
    unit: '×',
    goal: 1.25,
    cause:
      'the rights and follows of each socket are looked up (about 1 µs), and its write touches a session, bounds and ' +
      'a connection that are in no cache; the bare process holds connections only',
    detail: `${usedMs.toFixed(1)} ms against ${floor.bare.toFixed(1)} ms; ws library ${floor.ws.toFixed(1)} ms`,
  })
  report({
    name: `CPU of an event, for 2,000 of ${sockets}`,
    value: of2000(usedMs),
    unit: 'ms',
    goal: 5,
    detail: `bare TCP writes: ${of2000(floor.bare).toFixed(1)} ms`,
    cause: `each socket needs a write of its own, which costs the system alone ${of2000(floor.bare).toFixed(1)} ms here`,
  })
}

/** Calls back for every event that reaches a socket, with its number. */
type Arrivals = { heard: (number: number) => void }

async function connectAll(database: Database, url: string) {
  const given = createGiven(database)
  const { id: organizationId } = await given.organization()
  const arrivals: Arrivals = { heard: () => undefined }
  const sockets: WebSocket[] = []
  for (let i = 0; i < users; i += 1) {
    const { token } = await given.user({ organizationId })
    const opening = Array.from({ length: socketsPerUser }, () => open(url, token, organizationId, arrivals))
    sockets.push(...(await Promise.all(opening)))
  }
  return { organizationId, sockets, arrivals }
}

function open(url: string, token: string, organizationId: number, arrivals: Arrivals): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`)
  return new Promise((resolve, reject) => {
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'AUTHENTICATE', payload: { token, organizationId } }))
    socket.onclose = ({ code, reason }) => reject(new Error(`The socket was closed: ${code} ${reason}`))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const at = data.indexOf('"progress":')
      if (at > 0) arrivals.heard(Number.parseInt(data.slice(at + 11), 10))
      else if (data.includes('"AUTHENTICATED"')) resolve(socket)
    }
  })
}

let number = 0

/** Milliseconds from just before the commit until each socket has the event. */
async function onceThroughProduct(
  database: Database,
  organizationId: number,
  arrivals: Arrivals,
): Promise<number[]> {
  number += 1
  const mine = number
  const arrivedAt: number[] = []
  const all = new Promise<void>((resolve) => {
    arrivals.heard = (heard) => {
      if (heard !== mine) return
      arrivedAt.push(performance.now())
      if (arrivedAt.length === users * socketsPerUser) resolve()
    }
  })
  let committingAt = 0
  await database.withTenant(organizationId, async (db) => {
    await publish(db, {
      organizationId,
      type: 'WORKFLOW_RUN_UPDATE',
      message: 'Run running',
      data: {
        workflowId: 'w',
        runId: 'r',
        status: 'running',
        subject: { type: 'cluster', id: '1' },
        progress: mine,
      },
    })
    committingAt = performance.now()
  })
  await all
  return arrivedAt.map((at) => at - committingAt)
}

async function bareRoundTrip(database: Database) {
  let heard = () => {}
  const listener = await listen({
    url: database.url,
    channels: { bench: () => heard() },
    onGap: () => undefined,
    clock: realClock,
    log: createLog({ level: 'error' }),
  })
  const client = await database.ownerPool.connect()
  return {
    async once(): Promise<number> {
      const arrived = new Promise<void>((resolve) => (heard = resolve))
      await client.query('begin')
      await client.query(`select pg_notify('bench', 'x')`)
      const committingAt = performance.now()
      await Promise.all([client.query('commit'), arrived])
      return performance.now() - committingAt
    },
    async stop() {
      client.release()
      await listener.close()
    },
  }
}

function print(name: string, valuesMs: number[]): void {
  const [p50, p95] = [0.5, 0.95].map((q) => `${quantile(valuesMs, q).toFixed(2)} ms`)
  console.log(`  ${name.padEnd(32)} p50 ${p50}   p95 ${p95}`)
}

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}
