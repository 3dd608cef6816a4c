import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { scriptedProvider } from '../features/clusters/testing/scripted-provider.ts'
import { openOperations } from '../operations.ts'
import { realClock } from '../platform/clock.ts'
import { createDataKeys } from '../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../platform/crypto/root-key.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { AppError } from '../platform/errors.ts'
import { publishAll } from '../platform/live/publish.ts'
import { createLog } from '../platform/log.ts'
import { createGiven, type GivenUser } from './given.ts'
import {
  findUnsettled,
  findSpurious,
  findInconsistent,
  findRepeated,
  type BegunOperation,
} from './run-invariants.ts'
import { seeded } from './seeded.ts'

const requestKinds = ['create', 'delete', 'provision', 'cancel', 'delete while creating'] as const
type RequestKind = (typeof requestKinds)[number]

export type KillFigures = {
  kills: number
  requests: number
  /** Requests that were answered with an error: whether they took effect is open. */
  unanswered: number
  /** Runs that never ended, clusters that never settled, and clusters that could not be deleted afterwards. */
  stuck: string[]
  /** Runs that were cancelled without a request, or failed. */
  spurious: string[]
  /** Steps that began again after their success was recorded, and log lines that are missing or twice there. */
  repeated: string[]
}

type Options = {
  kills: number
  seed: number
  /** Whether PostgreSQL waits for the disk, as in production. */
  isDurable: boolean
  onKill?(figures: KillFigures): void
}

const clustersPerKill = 3
const maxKillDelayMs = 60
const settleMs = 30_000
const operationNames = ['allocate', 'start', 'join', 'addons', 'verify', 'stop', 'remove'] as const

type World = Awaited<ReturnType<typeof openWorld>>

/**
 * Kills PostgreSQL with SIGKILL while a server works on it, up to 60 ms after requests of each kind, and examines
 * what is left when everything has settled. The same seed gives the same requests and moments.
 */
export async function killPostmasters(options: Options): Promise<KillFigures> {
  const random = seeded(options.seed)
  const figures: KillFigures = {
    kills: 0,
    requests: 0,
    unanswered: 0,
    stuck: [],
    spurious: [],
    repeated: [],
  }
  const world = await openWorld(options.isDurable)
  try {
    while (figures.kills < options.kills) {
      const kind = requestKinds[figures.kills % requestKinds.length] ?? 'create'
      await killAfter(world, kind, random() * maxKillDelayMs, figures)
      options.onKill?.(figures)
    }
    figures.repeated.push(
      ...(await findRepeated(world.database, world.begun)),
      ...(await findInconsistent(world.database, world.provider.calls)),
    )
  } finally {
    await world.close()
  }
  return figures
}

async function openWorld(isDurable: boolean) {
  const log = createLog({ level: 'fatal', write: () => undefined })
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-postmaster-'))
  const server = await startEmbedded({ dataDir, isDurable, restartMaxMs: 100 }, log)
  const database = await openDatabase({ dataDir, url: server.url }, log)
  const provider = scriptedProvider()
  const begun: BegunOperation[] = []
  for (const operation of operationNames) {
    provider.onAny(operation, async ({ title }, step) => {
      begun.push({ title, operation, at: Date.now() })
      step.progress(50)
      await step.sleep(1)
    })
  }
  const key = randomBytes(32)
  const operations = await openOperations({
    database,
    dataKeys: createDataKeys({ key, fingerprint: fingerprintOf(key) }),
    publish: publishAll,
    clock: realClock,
    log,
    version: 'test',
    dataDir: '/nowhere',
    machineId: 'm1',
    sandboxSpeed: 1000,
    address: 'test',
    onClusterGone: async () => undefined,
    provider,
  })
  await operations.start(operations.clusterWorkflows)
  return {
    server,
    database,
    operations,
    provider,
    begun,
    given: createGiven(database),
    async close() {
      await operations.stop()
      await database.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One kill after `clustersPerKill` requests of one kind at once. */
async function killAfter(world: World, kind: RequestKind, delayMs: number, figures: KillFigures) {
  const { server, database, given } = world
  const number = (figures.kills += 1)
  const what = `kill ${number}, ${delayMs.toFixed(0)} ms after ${kind}`
  // An organization of its own: each may have a few clusters only.
  const user = await retry(() => given.user())
  const titles = Array.from({ length: clustersPerKill }, (_, index) => `k-${number}-${index}`)
  const prepared = await Promise.all(titles.map((title) => prepare(world, kind, user, title)))
  const answers = prepared.map(({ request }) => request())
  figures.requests += answers.length
  await sleep(delayMs)
  kill(server.pid(), 'SIGKILL')
  for (const { release } of prepared) release()
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') figures.unanswered += 1
  }
  figures.stuck.push(
    ...(await settled(world, user, `was not settled after ${what}`)),
    ...(await removeAll(world, user, what)),
  )
  const isCancel = kind === 'cancel' || kind === 'delete while creating'
  const spurious = await findSpurious(database, user.organizationId, isCancel)
  figures.spurious.push(...spurious.map((each) => `${each} after ${what}`))
}

/** What the request needs, the request itself, and what lets the steps go on that wait for it. */
async function prepare(world: World, kind: RequestKind, user: GivenUser, title: string) {
  const { operations, given, provider } = world
  const { organizationId } = user
  const who = { organizationId: user.organizationId, user, role: user.role, via: 'session' as const }
  const create = () => operations.clusters.create(organizationId, { title, provider: 'sandbox' }, who)
  const release = () => undefined
  if (kind === 'create') return { request: create, release }
  if (kind === 'delete' || kind === 'provision') {
    const status = kind === 'delete' ? 'RUNNING' : 'ERROR'
    const { id } = await given.cluster({ organizationId, title, status })
    const act = kind === 'delete' ? operations.clusters.remove : operations.clusters.provision
    return { request: () => act(organizationId, id, who), release }
  }
  const joining = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  provider.on(title, 'join', async ({ signal }) => {
    joining.resolve()
    const aborted = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => aborted.resolve(), { once: true })
    if (!signal.aborted) await Promise.race([gate.promise, aborted.promise])
    signal.throwIfAborted()
  })
  const { id, lastRun } = await create()
  await joining.promise
  const cancel = () => operations.workflows.cancel(lastRun?.workflowId ?? '', lastRun?.runId ?? '', who)
  const remove = () => operations.clusters.remove(organizationId, id, who)
  return { request: kind === 'cancel' ? cancel : remove, release: () => gate.resolve() }
}

/** Waits until no run of the organization is under way; answers what still is when that takes too long. */
async function settled(world: World, user: GivenUser, complaint: string): Promise<string[]> {
  const deadline = Date.now() + settleMs
  for (;;) {
    const left = await retry(() => findUnsettled(world.database, user.organizationId))
    if (left.length === 0) return []
    if (Date.now() > deadline) return left.map((each) => `${each} ${complaint}`)
    await sleep(50)
  }
}

/** Deletes every cluster of the organization, for that must always be possible. */
async function removeAll(world: World, user: GivenUser, what: string): Promise<string[]> {
  const { clusters } = world.operations
  const who = { organizationId: user.organizationId, user, role: user.role, via: 'session' as const }
  const filter = { page: 1, limit: 50, sort: 'title' as const }
  const page = await retry(() => clusters.list(user.organizationId, filter))
  const refused: string[] = []
  for (const { id, title, status } of page.clusters) {
    try {
      // A connection broken by the kill may still be in the pool; its first user gets the error.
      await retry(() => clusters.remove(user.organizationId, id, who), isUnavailable)
    } catch (error) {
      refused.push(`Cluster ${title} (${status}) could not be deleted after ${what}: ${String(error)}`)
    }
  }
  return [...refused, ...(await settled(world, user, `was not settled when deleted after ${what}`))]
}

async function retry<T>(
  work: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean = () => true,
): Promise<T> {
  const deadline = Date.now() + settleMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline || !isWorthIt(error)) throw error
      await sleep(50)
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}
