import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'

import { findRunningCluster } from '../packages/server/src/operator/backup/running-cluster.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { root } from '../tools/source-files.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'
import { viewers } from './viewers.ts'

// The driver belongs to the server's workspace.
const { Pool } = createRequire(join(root, 'packages/server/package.json'))('pg') as typeof Pg

const operator = join(root, 'packages/server/src/operator/main.ts')
const filledRows = 3_000_000
const rounds = 3
const requestsPerSecond = 60
const quietMs = 6_000

/** How quickly Bey backs itself up, and how much longer people wait for their requests meanwhile. */
export async function run(): Promise<void> {
  const bey = await startBey()
  const to = mkdtempSync(join(tmpdir(), 'bey-bench-backups-'))
  chmodSync(to, 0o755)
  try {
    const session = await signUpByApi(bey.url, {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'difference-engine-1!',
      organization: 'Bench',
    })
    const people = createLoad(bey.url, await fill(bey.dataDir, session.organizationId))
    // What is loaded and compiled once is no matter of backups.
    await people.during(sleep(quietMs))
    const figures: { quiet: number; busy: number; megabytesPerSecond: number }[] = []
    // In turns, for a machine may be quick now and slow a minute later.
    for (let round = 0; round < rounds; round += 1) {
      const quiet = await people.during(sleep(quietMs))
      const made = backUp(bey.dataDir, join(to, String(round)))
      const busy = await people.during(made)
      figures.push({ quiet, busy, megabytesPerSecond: await made })
      console.error(figures.at(-1))
      rmSync(join(to, String(round)), { recursive: true, force: true })
    }
    const quiet = median(figures.map((each) => each.quiet))
    const busy = median(figures.map((each) => each.busy))
    report({
      name: 'backup of Bey under load',
      value: median(figures.map((each) => each.megabytesPerSecond)),
      unit: 'MB',
      goal: 50,
      isAtLeast: true,
      detail: 'a second, of what is copied, by `bey backup` beside the server, from its start to its end',
    })
    report({
      name: 'p95 of requests during a backup of Bey',
      value: median(figures.map((each) => each.busy / each.quiet)),
      unit: '×',
      goal: 1.5,
      detail: `${busy.toFixed(1)} ms against ${quiet.toFixed(1)} ms, ${requestsPerSecond} requests a second, one of four writes`,
      cause: 'the backup, the server and PostgreSQL share the cores and the disk',
    })
  } finally {
    await bey.stop()
    removeData(bey)
    rmSync(to, { recursive: true, force: true })
  }
}

/** Answers the headers of people, for each may make ten requests a second. */
async function fill(dataDir: string, organizationId: number) {
  const cluster = await findRunningCluster(dataDir)
  const client = new Pool({ ...cluster?.connection, database: 'bey', max: 4 })
  await client.query(
    `create table public.filled as select n, md5(n::text) as key, now() as at, 'some usual text of row ' || n || md5((n * 7)::text) as note
     from generate_series(1, ${filledRows}) n`,
  )
  await client.query('create index on public.filled (key)')
  await client.query(
    `insert into clusters (organization_id, title, status, pending_operations, provider, region, version, node_groups)
     select $1, 'cluster-' || n, 'PENDING', 0, 'sandbox', 'local', 'v1.33.4', '[{"name":"workers","count":3,"cpuCores":4,"memoryBytes":17179869184}]'
     from generate_series(1, 50) n`,
    [organizationId],
  )
  const headers = await viewers(client, organizationId)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
  return headers
}

/** Answers megabytes a second. */
async function backUp(dataDir: string, to: string): Promise<number> {
  const beganMs = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', operator, 'backup', '--to', to, '--json'],
    {
      env: { ...process.env, BEY_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
      // As `bey` starts it.
      detached: true,
    },
  )
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`bey backup ended with ${code}`)
  const { parts } = JSON.parse(out) as { parts: { copiedBytes: number }[] }
  const bytes = parts.reduce((total, each) => total + each.copiedBytes, 0)
  return bytes / 1e6 / ((performance.now() - beganMs) / 1000)
}

/** Requests that begin by the clock, however long those before them take. */
function createLoad(url: string, people: readonly Record<string, string>[]) {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  const send = (method: string, path: string, body?: object) =>
    new Promise<number>((done, fail) => {
      const beganMs = performance.now()
      const sent = { ...people[count % people.length], ...(body && { 'content-type': 'application/json' }) }
      const call = request(`${url}${path}`, { method, headers: sent, agent }, (reply) => {
        reply.resume()
        reply.on('end', () =>
          (reply.statusCode ?? 500) < 300
            ? done(performance.now() - beganMs)
            : fail(new Error(`${path} answered ${reply.statusCode}`)),
        )
      })
      call.on('error', fail)
      call.end(body && JSON.stringify(body))
    })
  const next = () => {
    count += 1
    if (count % 4 > 0) return send('GET', '/api/kubernetes/clusters?limit=50')
    return send('PATCH', '/api/auth/me', { name: `Viewer ${count}` })
  }
  return {
    /** The 95th percentile in ms of the requests that began before `over`. */
    async during(over: Promise<unknown>): Promise<number> {
      let isOver = false
      void over.finally(() => (isOver = true))
      const calls: Promise<number>[] = []
      const beganMs = performance.now()
      while (!isOver) {
        calls.push(next())
        const dueMs = beganMs + (calls.length * 1000) / requestsPerSecond
        await sleep(Math.max(0, dueMs - performance.now()))
      }
      const sorted = (await Promise.all(calls)).toSorted((one, other) => one - other)
      return sorted[Math.floor(sorted.length * 0.95)] ?? 0
    },
  }
}
