import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { freePort, removeData, startBey } from '../tools/bey-server.ts'
import { root } from '../tools/source-files.ts'
import { load } from './load.ts'
import { cpuMs, median, postgresCpuMs } from './process-figures.ts'
import { report } from './figure.ts'
import { browserEncodings, viewers } from './viewers.ts'

const warmUp = 3000
const counted = 4000
const rounds = 5

/**
 * CPU of an authenticated list of 50 clusters as a browser asks for it, against a bare query plus a bare framework that
 * compress alike, on the same database, whose CPU is counted on both sides.
 */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const database = await openDatabase({ dataDir }, createLog({ level: 'error' }))
  const bey = await startBey({ env: { DATABASE_URL: database.url } })
  const session = await signUpByApi(bey.url, {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'difference-engine-1!',
    organization: 'Bench',
  })
  await database.ownerPool.query(
    `insert into clusters (organization_id, title, status, pending_operations, provider, region, version, node_groups)
     select $1, 'cluster-' || n, 'PENDING', 0, 'sandbox', 'local', 'v1.33.4', '[{"name":"workers","count":3,"cpuCores":4,"memoryBytes":17179869184}]'
     from generate_series(1, 50) n`,
    [session.organizationId],
  )
  const bare = await startBare(database.url, session.organizationId)
  const headers = await viewers(database.ownerPool, session.organizationId)
  const product: Target = { pid: bey.pid, url: `${bey.url}/api/kubernetes/clusters?limit=50`, headers }
  const plain = (target: Target): Target => ({
    ...target,
    headers: target.headers.map((each) => ({ ...each, 'accept-encoding': 'identity' })),
  })

  for (const [name, ours, theirs] of [
    ['compressed', product, bare],
    ['plain', plain(product), plain(bare)],
  ] as const) {
    await load(ours.url, ours.headers, warmUp)
    await load(theirs.url, theirs.headers, warmUp)
    const figures: { ours: Cpu; theirs: Cpu }[] = []
    for (let round = 0; round < rounds; round += 1) {
      figures.push({
        ours: await cpuPerRequest(ours, dataDir),
        theirs: await cpuPerRequest(theirs, dataDir),
      })
    }
    print(
      `bare query and framework, ${name}`,
      figures.map((each) => each.theirs),
    )
    print(
      `authenticated list of 50, ${name}`,
      figures.map((each) => each.ours),
    )
    const ratio = median(figures.map((each) => total(each.ours) / total(each.theirs)))
    report({
      name: `authenticated list of 50 against bare, ${name}`,
      value: ratio,
      unit: '×',
      goal: 2,
      detail: 'one query by a pool, one route of Fastify, compressed alike; PostgreSQL counted',
      cause:
        'the session with its member and policies, and the transaction for row-level security, are two more turns of PostgreSQL',
    })
  }
  bare.stop()
  await bey.stop()
  await database.close()
  removeData(bey)
  rmSync(dataDir, { recursive: true, force: true })
}

type Target = { pid: number; url: string; headers: Record<string, string>[] }
/** Milliseconds of a request in the server, and in PostgreSQL. */
type Cpu = { server: number; database: number }

const total = ({ server, database }: Cpu) => server + database

async function cpuPerRequest({ pid, url, headers }: Target, dataDir: string): Promise<Cpu> {
  const before = { server: cpuMs(pid), database: postgresCpuMs(dataDir) }
  await load(url, headers, counted)
  return {
    server: (cpuMs(pid) - before.server) / counted,
    database: (postgresCpuMs(dataDir) - before.database) / counted,
  }
}

function print(name: string, figures: readonly Cpu[]): void {
  const micros = (of: (cpu: Cpu) => number) => median(figures.map(of)) * 1000
  const server = micros((cpu) => cpu.server).toFixed(0)
  const database = micros((cpu) => cpu.database).toFixed(0)
  report({
    name: `CPU of a request: ${name}`,
    value: micros(total),
    unit: 'µs',
    detail: `server ${server}, PostgreSQL ${database}`,
  })
}

async function startBare(databaseUrl: string, organizationId: number): Promise<Target & { stop(): void }> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'bench/bare-server.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ORGANIZATION_ID: String(organizationId),
    },
  })
  const url = `http://127.0.0.1:${port}/clusters`
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply?.ok) break
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    pid: child.pid ?? 0,
    url,
    headers: [{ 'accept-encoding': browserEncodings }],
    stop: () => child.kill(),
  }
}
