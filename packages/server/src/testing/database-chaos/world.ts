import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { openDatabase } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { createLog } from '../../platform/log.ts'
import { createGiven } from '../given.ts'
import { startBeyProcess } from './bey-process.ts'

export type Endpoint = { host: string; port: number; database: string; username: string; password: string }
/** A row of SQL. */
type Row = Record<string, unknown>

const answerMs = 60_000
const settleMs = 120_000

/**
 * A Bey in a process of its own over a PostgreSQL that is not killed, and what is asked of both. Requests are repeated with
 * their key until they are answered, as a client does whose server went away.
 */
export async function openWorld() {
  const root = await mkdtemp(join(tmpdir(), 'bey-database-chaos-'))
  // The account of the servers reaches their files.
  await chmod(root, 0o755)
  const dataDir = join(root, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  const log = createLog({ level: 'fatal', write: () => undefined })
  const server = await startEmbedded({ dataDir: join(root, 'platform'), isDurable: false }, log)
  const database = await openDatabase({ dataDir: root, url: server.url }, log)
  const bey = await startBeyProcess({
    DATABASE_URL: server.url,
    BEY_DATA_DIR: dataDir,
    BEY_SECRET_KEY: randomBytes(32).toString('base64'),
    BEY_SANDBOX_BUDGET_MIB: '4096',
    BEY_DRAIN_SECONDS: '1',
    // Each start after the first takes half the time.
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(root, 'compiled'),
  })
  const given = createGiven(database)
  const { token, organizationId } = await given.user({ role: 'ADMIN' })

  /** The reply of the first attempt that got one, whatever it says. */
  async function ask(method: string, path: string, body?: object, as = token) {
    const deadline = Date.now() + answerMs
    const headers = {
      authorization: `Bearer ${as}`,
      'x-organization-id': String(organizationId),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    }
    for (;;) {
      try {
        const text = body && JSON.stringify(body)
        const reply = await fetch(`${bey.url()}${path}`, { method, headers, ...(text && { body: text }) })
        const content = (await reply.json()) as Row
        // In flight: the process that began it was killed.
        const isUndecided =
          reply.status >= 500 || reply.status === 429 || content['code'] === 'idempotency_in_flight'
        if (!isUndecided || Date.now() > deadline) return { status: reply.status, body: content }
      } catch (error) {
        if (Date.now() > deadline) throw error
      }
      await sleep(200)
    }
  }

  async function rows(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await database.ownerPool.query<Row>(text, [...values])).rows
  }
  const one = async (text: string, values: readonly unknown[] = []) => (await rows(text, values))[0]

  /** Process ids of the servers of databases and drills that run. */
  async function serverPids(): Promise<number[]> {
    const found = await rows(
      `select dir from databases where dir is not null and deleted_at is null
       union select dir from database_restores where dir is not null`,
    )
    const texts = await Promise.all(
      found.map(({ dir }) =>
        readFile(join(String(dir), 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''),
      ),
    )
    return texts.map((text) => Number(text.split('\n')[0])).filter((pid) => pid > 1)
  }

  /** What is under way and should end; empty once nothing is. */
  async function unsettled(): Promise<string[]> {
    const found = await rows(
      `select format('run %s of %s is %s', r.id, w.name, r.status) as text from workflow_runs r
         join workflows w on w.id = r.workflow_id where r.finished_at is null
       union all select format('database %s is %s: %s', name, status, reason) from databases
         where deleted_at is null and status not in ('available', 'error', 'hibernated')
       union all select format('backup %s is %s', id, status) from database_backups
         where status in ('pending', 'running', 'finalizing', 'verifying')
       union all select format('%s %s is %s', kind, id, status) from database_restores
         where status not in ('completed', 'failed', 'cancelled')
       union all select format('the server of the drill %s is left', id) from database_restores where dir is not null
       union all select format('swap %s is %s', id, status) from database_swaps
         where status in ('pending', 'running', 'undoing')`,
    )
    return found.map(({ text }) => String(text))
  }

  return {
    bey,
    ask,
    rows,
    one,
    serverPids,
    /** Waits until nothing is under way; answers what still is when that takes too long. */
    async settled(): Promise<string[]> {
      const deadline = Date.now() + settleMs
      for (;;) {
        const left = await unsettled()
        if (left.length === 0 || Date.now() > deadline) return left
        await sleep(100)
      }
    },
    /** How a database is reached, with its password. */
    async endpointOf(id: string): Promise<Endpoint> {
      const { body } = await ask('GET', `/api/databases/${id}`)
      const { endpoint, credential } = body as { endpoint: Omit<Endpoint, 'password'>; credential: Row }
      const path = `/api/secrets/${String(credential['id'])}/reveal`
      // Whoever logged in more than ten minutes ago has to confirm that.
      const { token: fresh } = await given.user({ organizationId, role: 'ADMIN' })
      const revealed = await ask('POST', path, { reason: 'Test' }, fresh)
      const { value } = revealed.body
      if (typeof value !== 'string') throw new Error(`No password: ${JSON.stringify(revealed)}`)
      return { ...endpoint, password: value }
    },
    /** What the last run of a database logged beside its information. */
    async warningsOf(id: string): Promise<string> {
      const found = await rows(
        `select l.message from step_logs l join databases d on d.last_run_id = l.run_id
         where d.id = $1 and l.level <> 'info' order by l.seq`,
        [id],
      )
      return found.map(({ message }) => String(message)).join(' ')
    },
    async close(): Promise<void> {
      await bey.stop()
      for (const pid of await serverPids().catch(() => [])) killIfThere(pid)
      await database.close()
      await server.stop()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** SIGKILL; a process that is gone already is no error. */
export function killIfThere(pid: number): void {
  try {
    kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
