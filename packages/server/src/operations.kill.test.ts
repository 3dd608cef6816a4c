import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, test, vi } from 'vitest'

import { type ServerChild, startServerChild } from './testing/child-process.ts'
import { testDatabase } from './testing/database.ts'
import { createGiven } from './testing/given.ts'
import { seeded } from './testing/seeded.ts'

const database = await testDatabase()
const given = createGiven(database)
const dir = await mkdtemp(join(tmpdir(), 'bey-kill-'))
const ledger = join(dir, 'ledger')
const children: ServerChild[] = []
const base = { DATABASE_URL: database.url, LEDGER: ledger, GATES: dir, ROOT_KEY: '7'.repeat(64) }

afterEach(async () => {
  for (const child of children) child.kill()
  await Promise.all(children.map((child) => child.over))
  children.length = 0
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function boot(env: Record<string, string> = {}): Promise<ServerChild> {
  const child = await startServerChild({ ...base, ...env })
  children.push(child)
  return child
}

type RunState = {
  id: string
  organization_id: number
  subject_id: string
  status: string
  finished_at: string | null
  recovery_count: number
  executor_id: string
}

async function runs(organizationId: number): Promise<RunState[]> {
  return database.asSystem('test', async (db) => {
    const { rows } = await db.execute<RunState>(sql`
      select id, subject_id, status, finished_at, recovery_count, executor_id
      from workflow_runs where organization_id = ${organizationId} order by queued_at, id`)
    return rows
  })
}

async function cluster(organizationId: number, title: string) {
  return database.asSystem('test', async (db) => {
    const { rows } = await db.execute<{ id: number; status: string; pending_operations: number }>(sql`
      select id, status, pending_operations from clusters where organization_id = ${organizationId} and title = ${title}`)
    return rows[0]
  })
}

const kills = 12
const killPoints = 40

test(
  `after each of ${kills} SIGKILLs the operation goes on: one run, no recorded step repeated, a terminal state`,
  { timeout: 300_000 },
  async () => {
    const user = await given.user()
    const { organizationId } = user
    const random = seeded(42)
    let killed = 0
    let round = 0
    let title = 'k-0'
    let asked = 0
    const wanted: string[] = []

    /** What to ask for next, or undefined while something is under way. */
    async function next(): Promise<Record<string, unknown> | undefined> {
      // The runs first: a cluster changes with the end of its run.
      const all = await runs(organizationId)
      if (all.some((run) => run.finished_at === null)) return undefined
      const found = await cluster(organizationId, title)
      if (found === undefined) return { do: 'create', organizationId, userId: user.id, title }
      if (found.status === 'RUNNING') return { do: 'delete', organizationId, userId: user.id, id: found.id }
      expect(found).toMatchObject({ status: 'DELETED', pending_operations: 0 })
      wanted.push(title)
      round += 1
      title = `k-${round}`
      return { do: 'create', organizationId, userId: user.id, title }
    }

    while (killed < kills) {
      // Early, late and everything between, each once: chance alone leaves gaps.
      const at = 1 + Math.floor(((killed + random()) / kills) * killPoints)
      const child = await boot({ KILL_AT: String(at) })
      // Works until it kills itself: whatever is finished, something new is asked for.
      while (!child.isOver()) {
        const command = await next()
        if (command !== undefined && !child.isOver()) {
          const before = child.answers().length
          child.send(command)
          asked += 1
          await vi.waitUntil(() => child.isOver() || child.answers().length > before, {
            timeout: 60_000,
            interval: 5,
          })
          expect(child.answers().slice(before)).not.toContainEqual(
            expect.objectContaining({ event: 'refused' }),
          )
        } else {
          await Promise.race([child.over, new Promise((resolve) => setTimeout(resolve, 10))])
        }
      }
      killed += 1
    }

    const last = await boot()
    const all = await vi.waitFor(
      async () => {
        const found = await runs(organizationId)
        if (found.some((run) => run.finished_at === null))
          throw new Error(`Still going: ${JSON.stringify(found.at(-1))}`)
        return found
      },
      { timeout: 60_000, interval: 50 },
    )
    // The engine notes the end of a run a moment after the run itself does.
    await vi.waitFor(expectNothingHeld, { timeout: 60_000, interval: 50 })
    last.kill()

    // Each provisioning and deletion that was asked for is one run, and each of them ended well.
    expect(new Set(all.map((run) => run.status))).toEqual(new Set(['completed']))
    const perCluster = Map.groupBy(all, (run) => run.subject_id)
    for (const [, of] of perCluster) expect(of.length).toBeLessThanOrEqual(2)
    expect(all.length).toBeLessThanOrEqual(asked)
    expect(all.reduce((sum, run) => sum + run.recovery_count, 0)).toBeGreaterThan(kills / 4)

    await expectStepsOnce(organizationId)
  },
)

/** What the ledger of effects and the recorded steps say together. */
async function expectStepsOnce(organizationId: number): Promise<void> {
  const { rows: steps } = await database.asSystem('test', (db) =>
    db.execute<{
      key: string
      status: string
      attempt: number
      title: string
      finished_at: string | null
    }>(sql`
      select s.key, s.status, s.attempt, s.finished_at, c.title from step_runs s
      join workflow_runs r on r.id = s.run_id join clusters c on c.id = r.subject_id::int
      where s.organization_id = ${organizationId}`),
  )
  const operations: Record<string, string> = {
    allocate_machines: 'allocate',
    start_control_plane: 'start',
    join_nodes: 'join',
    install_addons: 'addons',
    verify: 'verify',
    delete_control_plane: 'stop',
    delete_state: 'remove',
  }
  const lines = (await readFile(ledger, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  for (const step of steps) {
    expect(step.status).toBe('succeeded')
    const operation = operations[step.key]
    if (operation === undefined) continue
    const begun = lines.filter(
      ([, what, title, name]) => what === 'begin' && title === step.title && name === operation,
    )
    // Each beginning is an attempt of its own: a step that was recorded never begins again.
    expect(begun.length, `${step.title} ${step.key}`).toBeLessThanOrEqual(step.attempt)
    expect(new Set(begun.map(([pid]) => pid)).size).toBe(begun.length)
    expect(begun.length).toBeGreaterThan(0)
  }
  // Never does an operation begin before the one before it is recorded, nor after the one after it has begun.
  const order = ['allocate', 'start', 'join', 'addons', 'verify', 'stop', 'remove']
  const furthest = new Map<string, number>()
  for (const [, what, title = '', name = ''] of lines) {
    if (what !== 'begin') continue
    const position = order.indexOf(name)
    expect(position, `${title} ${name}`).toBeGreaterThanOrEqual(furthest.get(title) ?? 0)
    furthest.set(title, position)
  }
  const { rows: gaps } = await database.asSystem('test', (db) =>
    db.execute(sql`
      select r.id from workflow_runs r where r.log_count <> (select count(*) from step_logs l where l.run_id = r.id)
        or r.log_count <> (select coalesce(max(seq), 0) from step_logs l where l.run_id = r.id)`),
  )
  expect(gaps).toEqual([])
}

async function expectNothingHeld(): Promise<void> {
  const { rows } = await database.asSystem('test', (db) =>
    db.execute<{ status: string }>(
      sql`select status from dbos.workflow_status where status not in ('SUCCESS')`,
    ),
  )
  expect(rows).toEqual([])
}

test('with two servers on one database, the other takes over what a killed one was at', async () => {
  const user = await given.user()
  const { organizationId } = user
  await writeFile(join(dir, 'two-join.closed'), '')
  const first = await boot({ MACHINE_ID: 'm1' })
  first.send({ do: 'create', organizationId, userId: user.id, title: 'two' })
  await vi.waitUntil(async () => (await ledgerLines()).includes(`${first.pid} begin two join`), {
    timeout: 60_000,
  })
  const second = await boot({ MACHINE_ID: 'm2' })
  first.kill()
  await first.over
  // On another machine nobody can look for the process itself, so the grace of 3 s has to pass.
  await vi.waitUntil(async () => (await ledgerLines()).includes(`${second.pid} begin two join`), {
    timeout: 60_000,
    interval: 50,
  })
  await rm(join(dir, 'two-join.closed'))
  await vi.waitFor(
    async () =>
      expect(await cluster(organizationId, 'two')).toMatchObject({
        status: 'RUNNING',
        pending_operations: 0,
      }),
    { timeout: 60_000 },
  )
  const [run] = await runs(organizationId)
  expect(run).toMatchObject({ status: 'completed', recovery_count: 1 })
  expect(run?.executor_id.startsWith(`${second.pid}-`)).toBe(true)
})

test('a server that hangs is taken over, and does nothing twice when it goes on', async () => {
  const user = await given.user()
  const { organizationId } = user
  const has = async (line: string) => (await ledgerLines()).includes(line)
  const reaches = (line: string) => vi.waitUntil(() => has(line), { timeout: 60_000, interval: 20 })
  const stands = (title: string) =>
    vi.waitFor(
      async () => expect(await cluster(organizationId, title)).toMatchObject({ status: 'RUNNING' }),
      { timeout: 60_000 },
    )

  const gate = join(dir, 'hung-join.closed')
  await writeFile(gate, '')
  const first = await boot()
  first.send({ do: 'create', organizationId, userId: user.id, title: 'hung' })
  await reaches(`${first.pid} begin hung join`)
  const second = await boot()
  first.hang()
  // Its lock is still held, so only its silence tells; nobody has to live through the 30 s of it.
  await database.asSystem('test', (db) =>
    db.execute(sql`update processes set heartbeat_at = now() - interval '31 seconds'
      where executor_id like ${`${first.pid}-%`}`),
  )
  await reaches(`${second.pid} begin hung join`)

  // Both are now in the same step: the one that was given up ends it first.
  first.revive()
  await rm(gate)
  await reaches(`${first.pid} end hung join`)
  await stands('hung')
  const [run] = await runs(organizationId)
  expect(run).toMatchObject({ status: 'completed', recovery_count: 1 })
  expect(run?.executor_id.startsWith(`${second.pid}-`)).toBe(true)

  // It reports back and is of use again: alone, it does what is asked for next.
  await vi.waitUntil(async () => (await processes()).some((id) => id.startsWith(`${first.pid}-`)), {
    timeout: 60_000,
    interval: 20,
  })
  second.kill()
  await second.over
  first.send({ do: 'create', organizationId, userId: user.id, title: 'after' })
  await stands('after')

  // By now it has come to the end of the step in which it hung; of the steps behind it has begun none.
  const begun = (await ledgerLines()).filter((line) => line.includes(' begin hung '))
  expect(begun.filter((line) => line.startsWith(`${first.pid} `)).map((line) => line.split(' ')[3])).toEqual([
    'allocate',
    'start',
    'join',
  ])
  await vi.waitFor(expectNothingHeld, { timeout: 60_000, interval: 50 })
  await expectStepsOnce(organizationId)
})

async function processes(): Promise<string[]> {
  const { rows } = await database.asSystem('test', (db) =>
    db.execute<{ executor_id: string }>(sql`select executor_id from processes`),
  )
  return rows.map((row) => row.executor_id)
}

async function ledgerLines(): Promise<string[]> {
  return (await readFile(ledger, 'utf8').catch(() => '')).split('\n')
}
