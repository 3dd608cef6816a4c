import { existsSync } from 'node:fs'
import { readlink, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { totalmem } from 'node:os'

import type { ClientConfig } from 'pg'

import type {
  DatabasePlacement,
  DatabaseServers,
  ProviderDatabase,
  RunningServer,
} from '../../features/databases/provider.ts'
import { chooseAccount } from '../../platform/db/embedded/account.ts'
import { type Binaries, findBinaries } from '../../platform/db/embedded/binaries.ts'
import { initCluster } from '../../platform/db/embedded/init-cluster.ts'
import { prepareLayout } from '../../platform/db/embedded/layout.ts'
import {
  findPostmaster,
  type Postmaster,
  type PostmasterEnd,
  spawnPostmaster,
  stopPostmaster,
} from '../../platform/db/embedded/postmaster.ts'
import { addressOf, lastLogLines, startOrAdoptPostmaster } from '../../platform/db/embedded/start.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import type { Log } from '../../platform/log.ts'
import { freeDiskBytes } from '../sandbox/budget.ts'
import { freePort } from '../sandbox/directory-and-port.ts'
import { removeReservation, reservedIn, roomRefusal, writeReservation } from './machine-budget.ts'
import { createDatabaseFiles } from './files.ts'
import { readExtensions } from './extensions.ts'
import { ensureOwner } from './owner.ts'
import {
  forgetParameters,
  allowListStamp,
  compareAllowList,
  keepParameters,
  leftToServer,
  putParametersBack,
  writeAllowList,
} from './server-config.ts'
import { serverSettings } from './server-settings.ts'
import { createServerTls, type ServerTlsOptions } from './server-tls.ts'
import { archiveSettings, makeSpool } from './wal-spool.ts'

/**
 * What removes a directory. A last look at the server's archive may still be writing to it: what it makes meanwhile is removed
 * by the next try.
 */
const everything = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

export type EmbeddedDatabasesOptions = {
  /** Absolute; each database gets a directory below it. */
  root: string
  /** Names the data directory of this Bey, to which its databases belong. */
  machineId: string
  log: Log
  /** Memory that databases and sandboxes may take together, in bytes. */
  budgetBytes: number
  /** What of it sandboxes take now. */
  sandboxBytes(): Promise<number>
  /** Where files of servers go when their account cannot reach `root`. */
  publicDir?: string
  /** False for tests: a crash of the machine may cost the data. */
  isDurable?: boolean | undefined
  /** Without it the servers speak no TLS, and admit other machines to nothing. */
  tls?: ServerTlsOptions | undefined
}

/** Databases on this machine: a PostgreSQL server each, of the binaries that Bey brings. */
export function createEmbeddedDatabases(
  options: EmbeddedDatabasesOptions,
): DatabaseServers & { binaries: () => Promise<Binaries> } {
  const { root, machineId, log, budgetBytes, publicDir = '/var/lib/bey', isDurable = true } = options
  const tls = options.tls && createServerTls(options.tls, log)
  const running = new Map<string, Postmaster>()
  /** Servers that are being stopped on purpose. */
  const stopping = new Set<number>()
  /** Why servers ended that were not asked to, until they are started again. */
  const ends = new Map<string, Promise<string>>()
  const listeners: ((id: string, reason: string) => void)[] = []
  const turns = new Map<string, Promise<unknown>>()
  /** One at a time takes memory, so that two cannot both take the last room. */
  let reserving: Promise<unknown> = Promise.resolve()
  let known: Promise<Awaited<ReturnType<typeof findParts>>> | undefined
  let extensions: ReturnType<typeof readExtensions> | undefined

  async function findParts() {
    const account = await chooseAccount()
    return { account, binaries: await findBinaries(account.server?.uid, publicDir) }
  }
  const parts = () => (known ??= findParts())

  async function layoutOf({ dir, port }: DatabasePlacement) {
    const { account } = await parts()
    return prepareLayout(dir, publicDir, account, port)
  }

  /** Starting and stopping of one database follow each other. */
  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(id) ?? Promise.resolve()).then(work)
    turns.set(
      id,
      mine.catch(() => undefined),
    )
    return mine
  }

  function superviseServer(id: string, server: Postmaster, placement: DatabasePlacement): void {
    if (running.get(id)?.pid === server.pid) return
    running.set(id, server)
    void server.gone.then((end) => ended(id, server.pid, end, placement)).catch(() => undefined)
  }

  async function ended(
    id: string,
    pid: number,
    end: PostmasterEnd,
    placement: DatabasePlacement,
  ): Promise<void> {
    if (running.get(id)?.pid !== pid) return
    running.delete(id)
    if (stopping.delete(pid)) return
    const described = layoutOf(placement)
      .then(lastLogLines, () => '')
      .then((lines) => describeEnd(pid, end, lines))
    ends.set(id, described)
    const reason = await described
    for (const listener of listeners) listener(id, reason)
  }

  async function launch(
    database: ProviderDatabase,
    placement: DatabasePlacement,
    others: Readonly<Record<string, string>> = {},
  ): Promise<Postmaster> {
    const { account, binaries } = await parts()
    const layout = await layoutOf(placement)
    await makeSpool(layout.clusterDir, account.server)
    const settings = {
      ...serverSettings(database, placement.port),
      ...(await leftToServer(layout.clusterDir)),
      ...archiveSettings(layout.clusterDir),
      ...(await tls?.prepare(layout.clusterDir, account.server)),
      ...others,
    }
    await writeAllowList(layout.clusterDir, database.allowList ?? [], account.server)
    const start = () => spawnPostmaster(binaries.postgres, layout, account, isDurable, settings)
    try {
      const server = await startOrAdoptPostmaster(layout, start, log)
      superviseServer(database.id, server, placement)
      const { pid, gone } = server
      tls?.follow({ clusterDir: layout.clusterDir, owner: account.server, pid, gone })
      return server
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      throw new StepFailure(`The server did not start: ${words}`, { cause: error })
    }
  }

  async function stop(id: string, placement: DatabasePlacement): Promise<string> {
    if (!existsSync(placement.dir)) return 'There is no server on this machine.'
    const server = running.get(id) ?? (await findPostmaster(await layoutOf(placement)))
    if (server === undefined) return 'The server was not running.'
    stopping.add(server.pid)
    await stopPostmaster(server)
    running.delete(id)
    return `The server stopped (process ${server.pid}).`
  }

  async function capacity(without?: string) {
    const [databases, sandboxes, freeDisk] = await Promise.all([
      reservedIn(root, without),
      options.sandboxBytes(),
      freeDiskBytes(root),
    ])
    return {
      machineBytes: totalmem(),
      budgetBytes,
      usedBytes: databases + sandboxes,
      freeDiskBytes: freeDisk,
    }
  }

  async function take(memoryBytes: number, dir: string): Promise<void> {
    const refusal = roomRefusal(memoryBytes, await capacity(dir))
    if (refusal !== undefined) throw new StepFailure(refusal)
    await writeReservation(dir, memoryBytes)
  }

  return {
    binaries: async () => (await parts()).binaries,
    version: async () => (await parts()).binaries.version,
    extensions: async () => (extensions ??= readExtensions((await parts()).binaries)),
    clientAccess: async () => (await tls?.access()) ?? null,
    capacity: () => capacity(),
    refusalOf: async (memoryBytes) => roomRefusal(memoryBytes, await capacity()),

    async choosePlacement(id, before) {
      const dir = before?.dir ?? join(root, id)
      // A creation that failed later on left its server running: it keeps its port, which is therefore not free.
      const isRunning =
        before !== null && existsSync(dir) && (await findPostmaster(await layoutOf(before))) !== undefined
      return { machineId, dir, port: isRunning ? before.port : await freePort(before?.port) }
    },

    async reserve(database, placement, step) {
      const mine = reserving.then(() => take(database.plan.memoryBytes, placement.dir))
      reserving = mine.catch(() => undefined)
      await mine
      step.log(
        `Reserved ${Math.round(database.plan.memoryBytes / 1024 ** 2)} MiB of memory. Data are kept in ${placement.dir}.`,
      )
    },

    async initialize(placement, step) {
      const { account, binaries } = await parts()
      const isNew = await initCluster(binaries, await layoutOf(placement), account, isDurable)
      step.log(
        isNew ? `Made an empty PostgreSQL ${binaries.version}.` : 'The files of the server exist already.',
      )
    },

    start: (database, placement) =>
      inTurn(database.id, async () => ({ pid: (await launch(database, placement)).pid })),

    async setUp(database, placement, password) {
      await ensureOwner(await this.connection(placement, 'postgres'), database, password)
    },

    stop: (id, placement) => inTurn(id, () => stop(id, placement)),

    async kill(id, placement) {
      const server = running.get(id) ?? (await findPostmaster(await layoutOf(placement)))
      if (server === undefined) return 'The server was not running.'
      process.kill(server.pid, 'SIGKILL')
      return `The server was killed (process ${server.pid}).`
    },

    release: ({ dir }) => removeReservation(dir),

    async remove({ dir }) {
      if (!existsSync(dir)) return `${dir} was gone already.`
      const elsewhere = await readlink(join(dir, 'postgres')).catch(() => undefined)
      if (elsewhere !== undefined) await rm(dirname(elsewhere), everything)
      await rm(dir, everything)
      return `Removed ${dir}.`
    },

    keepRunning: (database, placement, shouldRun) =>
      inTurn(database.id, async (): Promise<RunningServer | undefined> => {
        if (!(await shouldRun())) return undefined
        const known = running.get(database.id)
        if (known !== undefined) return { pid: known.pid }
        if (!existsSync(join(placement.dir, 'postgres.password'))) {
          throw new StepFailure(`Its directory ${placement.dir} is gone.`)
        }
        const server = await launch(database, placement)
        const end = ends.get(database.id)
        ends.delete(database.id)
        if (server.isAdopted) return { pid: server.pid }
        const reason = await end
        return { pid: server.pid, startedBecause: reason ?? 'Its server was not running.' }
      }),

    async connection(placement, databaseName): Promise<ClientConfig> {
      return {
        connectionString: addressOf(await layoutOf(placement), 'postgres', encodeURIComponent(databaseName)),
        // The owner of a database chooses where names are looked up in it. Their functions must not be called with all
        // rights, so this session looks in PostgreSQL's own schema alone, whatever the database says.
        options: '-c search_path=pg_catalog',
      }
    },

    async writeAllowList(database, placement) {
      await writeAllowList(
        (await layoutOf(placement)).clusterDir,
        database.allowList ?? [],
        (await parts()).account.server,
      )
    },

    async compareAllowList(database, placement) {
      return compareAllowList((await layoutOf(placement)).clusterDir, database.allowList ?? [])
    },
    async allowListStamp(placement) {
      return allowListStamp((await layoutOf(placement)).clusterDir)
    },

    parameters: {
      async keep(placement, key) {
        await keepParameters((await layoutOf(placement)).clusterDir, key, (await parts()).account.server)
      },
      async putBack(placement, key) {
        return putParametersBack((await layoutOf(placement)).clusterDir, key, (await parts()).account.server)
      },
      forget: async (placement, key) => forgetParameters((await layoutOf(placement)).clusterDir, key),
    },

    files: createDatabaseFiles({
      parts,
      layoutOf,
      server: {
        start: (database, placement, settings) =>
          inTurn(database.id, () => launch(database, placement, settings)),
        stop: (id, placement) => inTurn(id, () => stop(id, placement)),
      },
    }),
    isHere: (placement) => placement.machineId === machineId || existsSync(placement.dir),
    onExit: (callback) => void listeners.push(callback),

    async stopAll() {
      tls?.stop()
      await Promise.allSettled(turns.values())
      await Promise.allSettled(
        [...running.values()].map(async (server) => {
          stopping.add(server.pid)
          await stopPostmaster(server)
        }),
      )
      running.clear()
    },
  }
}

/** One sentence about the end of a server that was not asked to end. */
function describeEnd(pid: number, end: PostmasterEnd, lastOutput: string): string {
  const said = lastOutput.split('\n').findLast((line) => /\b(PANIC|FATAL):/.test(line))
  const cause =
    said === undefined ? '' : ` Its log says: ${said.replace(/^.*?\b(?=PANIC|FATAL)/, '').slice(0, 200)}`
  if (end === 'unknown') return `The server process ${pid} ended.${cause}`
  if (end.signal === 'SIGKILL') {
    return `The server process ${pid} was ended by the signal SIGKILL, as by the system when memory runs out.`
  }
  if (end.signal !== null) return `The server process ${pid} was ended by the signal ${end.signal}.${cause}`
  return `The server process ${pid} ended with exit code ${end.code ?? 'unknown'}.${cause}`
}
