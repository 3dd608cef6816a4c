import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { execPath, kill } from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterEach, expect, test } from 'vitest'

import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { openDatabase } from '../database.ts'
import { type Embedded, type EmbeddedConfig, startEmbedded } from './supervisor.ts'

const log = createLog({ level: 'silent' })
const isRoot = userInfo().uid === 0
const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bey-pg-'))
  endings.push(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o755)
  return dir
}

async function start(dataDir: string, others: Partial<EmbeddedConfig> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, isDurable: false, ...others }, log)
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= embedded.stop())
  endings.push(stop)
  return { ...embedded, stop }
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

async function parent(
  dataDir: string,
  as?: { uid: number; gid: number },
): Promise<{ child: ChildProcess; url: string; pid: number }> {
  const script = fileURLToPath(new URL('../../../testing/embedded-parent.ts', import.meta.url))
  const child = spawn(execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...as })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, ...(JSON.parse(line) as { url: string; pid: number }) }
}

test('a first start makes the database, a second one finds it as it was, and nothing is left running', async () => {
  const dataDir = await newDir()
  const first = await start(dataDir)
  await ask(first.url, 'create table kept (id int)')
  const pid = first.pid()
  await first.stop()
  expect(isAlive(pid)).toBe(false)
  const second = await start(dataDir)
  expect(await ask(second.url, 'select id from kept')).toEqual([])
})

test('nobody reaches it over the network or without the password', async () => {
  const { url } = await start(await newDir())
  expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  const address = new URL(url)
  address.password = 'guess'
  await expect(ask(address.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  expect(await ask(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
    { rolsuper: false },
  ])
})

test('a server left running by a killed process is taken over, data and all', async () => {
  const dataDir = await newDir()
  const { child, url, pid } = await parent(dataDir)
  await ask(url, 'create table kept (id int)')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(pid)).toBe(true)

  const next = await start(dataDir)
  expect(next.pid()).toBe(pid)
  expect(await ask(next.url, 'select id from kept')).toEqual([])
  await next.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a database that crashes is started again, and the same handle goes on working', async () => {
  const dataDir = await newDir()
  const database = await openDatabase({ dataDir, isDurable: false }, log)
  endings.push(() => database.close())
  const before = await postmasterPid(dataDir)
  const isBack = new Promise<void>((resolve) => database.onUp(resolve))
  kill(before, 'SIGKILL')

  const attempt = () =>
    database
      .withTenant(1, (db) => db.execute('select 1'))
      .then(
        () => 'works',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
  const outcomes = [await attempt()]
  while (outcomes.at(-1) !== 'works' && outcomes.length < 1000) {
    await nextTurn(10)
    outcomes.push(await attempt())
  }
  await isBack
  expect([...new Set(outcomes)]).toEqual(['unavailable', 'works'])
  expect(database.isUp()).toBe(true)
  expect(await postmasterPid(dataDir)).not.toBe(before)
  await database.ping(2000)
})

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

test('stopping right after a crash leaves nothing running, wherever the restart is', async () => {
  const dataDir = await newDir()
  for (const delayMs of [0, 100, 108, 116, 140]) {
    const server = await start(dataDir)
    const socketDir = new URL(server.url).searchParams.get('host') ?? ''
    kill(server.pid(), 'SIGKILL')
    await nextTurn(delayMs)
    await server.stop()
    await expect(ask(server.url, 'select 1')).rejects.toThrow()
    const left = await readFile(join(socketDir, 'postmaster.pid'), 'utf8').catch(() => '0')
    expect(isAlive(Number(left.split('\n')[0]) || 999_999_999)).toBe(false)
  }
})

test('the remains of an interrupted first start are no obstacle', async () => {
  const dataDir = await newDir()
  await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true })
  const { url } = await start(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).filter((name) => name.includes('new'))).toEqual([])
})

test('a pid file that by now names another program is no obstacle', async () => {
  const dataDir = await newDir()
  await (await start(dataDir)).stop()
  const other = spawn('sleep', ['60'])
  endings.push(async () => other.kill())
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${other.pid}\n${dataDir}\n`)
  const { url } = await start(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(other.exitCode).toBeNull()
})

test('a path too long for a socket gets a short one, and is taken over from there as well', async () => {
  const dataDir = join(await newDir(), 'a-rather-long-name-for-a-folder'.repeat(3))
  await mkdir(dataDir)
  const { child, pid } = await parent(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await start(dataDir)
  expect(next.pid()).toBe(pid)
  const socketDir = new URL(next.url).searchParams.get('host') ?? ''
  endings.unshift(() => rm(socketDir, { recursive: true, force: true }))
  expect(socketDir).not.toContain(dataDir)
  expect(Buffer.byteLength(join(socketDir, '.s.PGSQL.5432'))).toBeLessThan(104)
})

test('a server that is stopping while it is found is waited for and started anew', async () => {
  const dataDir = await newDir()
  const { child, url, pid } = await parent(dataDir)
  const open = new pg.Client({ connectionString: url })
  open.on('error', () => undefined)
  await open.connect()
  child.kill('SIGKILL')
  await once(child, 'exit')
  // A smart shutdown waits for the open connection and refuses new ones meanwhile.
  kill(pid, 'SIGTERM')
  const starting = start(dataDir)
  await expect
    .poll(() => ask(url, 'select 1').catch((error: Error) => error.message))
    .toMatch(/shutting down/)
  await open.end()
  expect((await starting).pid()).not.toBe(pid)
})

test('files of another major version are refused in words', async () => {
  const dataDir = await newDir()
  await (await start(dataDir)).stop()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
  await expect(start(dataDir)).rejects.toThrow(/made by PostgreSQL 14, and this Bey brings \d+/)
})

test('a password file of another database is said to be the cause', async () => {
  const dataDir = await newDir()
  await (await start(dataDir)).stop()
  await writeFile(join(dataDir, 'postgres.password'), 'wrong\n')
  await expect(start(dataDir)).rejects.toThrow(/postgres\.password .* does not fit the database/)
  // A start that was refused leaves no server running.
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test.runIf(isRoot)(
  'below a folder that only root may enter, files and binaries go where the server can reach them',
  async () => {
    const outer = await newDir()
    const closed = join(outer, 'closed')
    const dataDir = join(closed, 'data')
    const publicDir = join(outer, 'public')
    await mkdir(dataDir, { recursive: true })
    await chmod(closed, 0o700)
    const first = await start(dataDir, { publicDir })
    await ask(first.url, 'create table kept (id int)')
    await first.stop()
    expect(await readlink(join(dataDir, 'postgres'))).toMatch(new RegExp(`^${publicDir}/`))
    const second = await start(dataDir, { publicDir })
    expect(await ask(second.url, 'select id from kept')).toEqual([])
  },
)

test.runIf(isRoot)(
  'a machine without a user called postgres runs it under a number that nobody has',
  async () => {
    const account = { server: { uid: 61_554, gid: 61_554 }, initdb: { uid: 65_534, gid: 65_534 } }
    const dataDir = await newDir()
    const server = await start(dataDir, { account })
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readFile(`/proc/${server.pid()}/status`, 'utf8')).toMatch(/^Uid:\t61554\t61554/m)
  },
)

test.runIf(isRoot)('files of another user are refused in words', async () => {
  const dataDir = await newDir()
  await (await start(dataDir)).stop()
  const account = { server: { uid: 61_554, gid: 61_554 }, initdb: undefined }
  await expect(start(dataDir, { account })).rejects.toThrow(/belongs to another user/)
})

test.runIf(isRoot)('it works for somebody who is not root', async () => {
  const nobody = { uid: 65_534, gid: 65_534 }
  const dataDir = await newDir()
  await chown(dataDir, nobody.uid, nobody.gid)
  const { child, url, pid } = await parent(dataDir, nobody)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const again = await parent(dataDir, nobody)
  expect(again.pid).toBe(pid)
  again.child.kill('SIGKILL')
  kill(pid, 'SIGINT')
  await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false)
})
