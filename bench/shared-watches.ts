import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Database } from '../packages/server/src/platform/db/database.ts'
import { root } from '../tools/source-files.ts'
import { report } from './figure.ts'
import { type OutsideSandbox, startOutsideSandbox } from './outside-sandbox.ts'
import { withDatabase } from './with-database.ts'

const processes = 3
const events = 1_000
const secretKey = randomBytes(32).toString('base64')
const configMaps = '/api/v1/namespaces/default/configmaps'

/** Three processes that show one cluster: watches at its API server, the processor time of an event, and the time of a takeover. */
export async function run(): Promise<void> {
  const alone = await measure({})
  const shared = await measure({ BEY_PEER_ADDRESS: '127.0.0.1:0' })
  report({
    name: 'watches of a kind, of three processes',
    value: shared.watches,
    unit: '',
    goal: 1,
    detail: `${alone.watches} where each watches for itself`,
  })
  report({
    name: 'CPU of an event, where a process follows',
    value: shared.eventUs[1] ?? Number.NaN,
    unit: 'µs',
    detail: `${Math.round(shared.eventUs[0] ?? 0)} µs where it watches for two others, ${Math.round(alone.eventUs[0] ?? 0)} µs where it watches for itself`,
  })
  report({ name: 'takeover of an owner that was killed', value: shared.killedMs, unit: 'ms', goal: 5_000 })
  report({ name: 'takeover of an owner that hangs', value: shared.hungMs, unit: 'ms', goal: 5_000 })
}

async function measure(env: Record<string, string>) {
  const isShared = 'BEY_PEER_ADDRESS' in env
  const outside = await startOutsideSandbox('shared', 3)
  const servers: Server[] = []
  const found = { watches: 0, eventUs: [] as number[], killedMs: 0, hungMs: 0 }
  try {
    await withDatabase(async (database) => {
      try {
        while (servers.length < processes) servers.push(await startServer(database, env))
        const show = await importCluster(servers, outside)
        const shows = (server: Server, name: string) => until(async () => (await show(server)).includes(name))
        await outside.send('POST', configMaps, { metadata: { name: 'first' } })
        for (const each of servers) await shows(each, 'first')
        await until(async () => !isShared || (await outside.watches('configmaps')) === 1)
        found.watches = await outside.watches('configmaps')
        const owner = await ownerOf(database, servers)
        const [follower = owner, other = owner] = servers.filter((each) => each !== owner)
        found.eventUs = await cpuOfEvents([owner, follower], outside)
        if (!isShared) return
        found.hungMs = await timed(
          outside,
          'hung',
          () => owner.signal('SIGSTOP'),
          (name) => shows(follower, name),
        )
        owner.signal('SIGCONT')
        await shows(owner, 'hung')
        await until(async () => (await outside.watches('configmaps')) === 1)
        const next = await ownerOf(database, servers)
        const left = next === other ? follower : other
        found.killedMs = await timed(
          outside,
          'killed',
          () => next.signal('SIGKILL'),
          (name) => shows(left, name),
        )
      } finally {
        await Promise.all(servers.map((server) => server.stop()))
      }
    })
  } finally {
    await outside.stop()
  }
  return found
}

/** From a signal until a change that is made after it is shown, in ms. */
async function timed(
  outside: OutsideSandbox,
  name: string,
  signal: () => void,
  isShown: (name: string) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  signal()
  await outside.send('POST', configMaps, { metadata: { name } })
  await isShown(name)
  return performance.now() - startedAt
}

/** Processor time of each event beyond what the processes take anyway, in µs. */
async function cpuOfEvents(all: readonly Server[], outside: OutsideSandbox): Promise<number[]> {
  const cpu = () => Promise.all(all.map((server) => server.cpuSeconds()))
  const [before, startedAt] = [await cpu(), performance.now()]
  for (let count = 0; count < events; count += 1)
    await outside.send('PATCH', `${configMaps}/first`, { data: { count: String(count) } })
  await sleep(500)
  const [after, tookMs] = [await cpu(), performance.now() - startedAt]
  await sleep(tookMs)
  const idle = await cpu()
  return all.map((_server, index) => {
    const [one = 0, two = 0, three = 0] = [before[index], after[index], idle[index]]
    return ((two - one - (three - two)) / events) * 1_000_000
  })
}

async function ownerOf(database: Database, servers: readonly Server[]): Promise<Server> {
  let found: Server | undefined
  await until(async () => {
    const { rows } = await database.ownerPool.query<{ observer: string }>(
      'select observer from cluster_health where lease_until > now()',
    )
    found = servers.find(({ peerId }) => peerId === rows[0]?.observer) ?? (rows[0] && servers[0])
    return found !== undefined
  })
  if (!found) throw new Error('No process observes the cluster')
  return found
}

async function importCluster(servers: readonly Server[], outside: OutsideSandbox) {
  const [first] = servers
  if (!first) throw new Error('No server was started')
  const { token, user } = await first.ask(
    'POST',
    '/api/auth/signup',
    {},
    {
      name: 'Ada',
      email: `${randomBytes(4).toString('hex')}@example.com`,
      password: 'difference-engine-1!',
      organizationName: 'Ada',
    },
  )
  const as = { authorization: `Bearer ${token}`, 'x-organization-id': String(user.organizations[0].id) }
  const { kubeconfig } = outside
  const read = await first.ask('POST', '/api/kubernetes/import/read', as, { kubeconfig })
  const clusters = [{ context: read['contexts'][0].context, title: 'shared' }]
  const made = await first.ask('POST', '/api/kubernetes/import', as, { kubeconfig, clusters })
  const base = `/api/kubernetes/clusters/${made['clusters'][0].id}`
  await until(async () => (await first.ask('GET', base, as))['status'] === 'RUNNING')
  return async (server: Server): Promise<string[]> => {
    const { objects } = await server.ask('GET', `${base}/objects/configmaps?namespace=default`, as)
    return objects.map(({ name }: { name: string }) => name)
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- what an endpoint answers is the contract's claim
type Body = Record<string, any>
type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(database: Database, env: Record<string, string>) {
  const known = await peerIds(database)
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-shared-'))
  const child: ChildProcess = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      BEY_SECRET_KEY: secretKey,
      BEY_DATA_DIR: dataDir,
      PORT: '0',
      BEY_TLS_PORT: '0',
      LOG_LEVEL: 'fatal',
      ...env,
    },
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('A server did not start')))
    if (!child.stdout) return reject(new Error('A server has no output'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Bey listens on (\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address.replace('localhost', '127.0.0.1'))
    })
  })
  const peerId = (await peerIds(database)).find((id) => !known.includes(id))
  return {
    peerId,
    signal: (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => void child.kill(name),
    async ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Body> {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
      return (await reply.json()) as Body
    },
    async cpuSeconds(): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^bey_process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const peerIds = async ({ ownerPool }: Database) =>
  (await ownerPool.query<{ id: string }>('select id from peers')).rows.map(({ id }) => id)

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
