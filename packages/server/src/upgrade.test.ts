import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openSocket } from './platform/live/testing/live-server.ts'
import { dropDatabase } from './testing/database.ts'
import { commitBeforeNewestMigration, earlierVersion } from './testing/earlier-version.ts'
import { onTestServer, withDatabase } from './testing/global-setup.ts'
import { startMain } from './testing/main-child.ts'

// Servers of the version before the newest migration are replaced one after the other while people work.

const before = await commitBeforeNewestMigration()
const earlier = before === undefined ? undefined : await earlierVersion(before)
afterAll(() => earlier?.remove())
const serverUrl = inject('testServerUrl')
const password = 'difference-engine-1!'

type Server = Awaited<ReturnType<typeof startMain>> & { underWay: number }

/** The servers that a proxy would send requests to, in turn. */
function balance() {
  const servers: Server[] = []
  let turn = 0
  const failures: string[] = []
  return {
    servers,
    failures,
    async ask(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
      const server = servers[(turn += 1) % servers.length]
      if (server === undefined) throw new Error('No server is there')
      server.underWay += 1
      try {
        const reply = await fetch(`${server.url}${path}`, {
          method,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await reply.text()
        if (!reply.ok) failures.push(`${method} ${path} ${reply.status} ${text}`)
        return JSON.parse(text) as Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- as in TestApp
      } catch (error) {
        failures.push(`${method} ${path} ${String(error)}`)
        throw error
      } finally {
        server.underWay -= 1
      }
    },
    /** Takes one out, as a proxy does before it is stopped, and waits for what is under way there. */
    async drain(server: Server) {
      servers.splice(servers.indexOf(server), 1)
      while (server.underWay > 0) await setImmediate()
      expect(await server.stop()).toBe(0)
    },
  }
}

/** A page that stays open: it hears of runs from one of the servers, and goes to another one when that says goodbye. */
function openPage(servers: readonly Server[], turn: number, token: string, organizationId: number) {
  const closing = Promise.withResolvers<undefined>()
  /** Of each connection, in their order: how it ended, undefined for the last, and the updates of runs that it brought. */
  const connections: { end: { code: number; reason: string } | undefined; updates: number }[] = []
  const over = (async () => {
    for (let next = turn; ; next += 1) {
      const server = servers[next % servers.length]
      if (server === undefined) throw new Error('No server is there')
      const socket = await openSocket(`${server.url.replace('http', 'ws')}/ws`)
      expect(await socket.authenticate(token, organizationId)).toMatchObject({ payload: { success: true } })
      const end = await Promise.race([socket.closed(), closing.promise])
      connections.push({ end, updates: socket.events('WORKFLOW_RUN_UPDATE').length })
      if (end === undefined) return socket.socket.close()
    }
  })()
  return {
    async close() {
      closing.resolve(undefined)
      await over
      return connections
    },
  }
}

test.skipIf(earlier === undefined)(
  'two versions at once serve every request, end every run and hand every socket on while one replaces the other',
  async () => {
    const name = `test_upgrade_${randomBytes(4).toString('hex')}`
    await onTestServer(serverUrl, `create database ${name}`)
    onTestFinished(() => dropDatabase(serverUrl, name))
    const env = {
      DATABASE_URL: withDatabase(serverUrl, name),
      BEY_SECRET_KEY: randomBytes(32).toString('base64'),
    }
    const { servers, failures, ask, drain } = balance()
    const start = async (program?: string): Promise<Server> => {
      const server = { ...(await startMain(env, program)), underWay: 0 }
      servers.push(server)
      return server
    }
    const old = [await start(earlier?.main), await start(earlier?.main)] as const
    const database = new pg.Client({ connectionString: env.DATABASE_URL })
    database.on('error', () => undefined)
    await database.connect()
    onTestFinished(() => database.end())
    const migrations = async () =>
      (await database.query('select count(*)::int as count from drizzle.__drizzle_migrations')).rows[0]
        .count as number
    const known = await migrations()

    const account = { name: 'Ada', email: 'ada@example.com', password, organizationName: 'Ada' }
    const { token, user } = await ask('POST', '/api/auth/signup', {}, account)
    expect(failures).toEqual([])
    const as = { authorization: `Bearer ${token}`, 'x-organization-id': String(user.organizations[0].id) }
    const transform = (key: string, needs?: string[]) => ({
      key,
      name: key,
      type: 'transform',
      config: { values: { two: '{{ 1 + 1 }}' } },
      ...(needs && { needs }),
    })
    const pause = {
      key: 'pause',
      name: 'Pause',
      type: 'wait',
      needs: ['first'],
      config: { duration_ms: 500 },
    }
    const steps = [transform('first'), pause, transform('last', ['pause'])]
    const { workflow } = await ask('POST', '/api/v1/workflows', as, { name: 'Nightly', steps })

    const load = { isOn: true, started: 0 }
    const people = Array.from({ length: 3 }, async () => {
      while (load.isOn) {
        await ask('POST', `/api/v1/workflows/${workflow.id}/execute`, as, {})
        load.started += 1
        await ask('GET', '/api/v1/workflows/runs', as)
      }
    })
    const more = (count: number) => {
      const until = load.started + count
      return vi.waitFor(() => expect(load.started).toBeGreaterThanOrEqual(until), {
        timeout: 120_000,
        interval: 20,
      })
    }
    const organizationId = user.organizations[0].id as number
    const pages = [0, 1, 2, 3].map((turn) => openPage(servers, turn, token, organizationId))
    try {
      await more(20)
      for (const each of old) {
        await start()
        await more(20)
        await drain(each)
        await more(20)
      }
    } finally {
      load.isOn = false
      await Promise.all(people)
    }
    for (const connections of await Promise.all(pages.map((page) => page.close()))) {
      // Both old servers were stopped: each page was sent on at least once, with the word to come again, and heard more there.
      expect(connections.length).toBeGreaterThan(1)
      for (const { end, updates } of connections) {
        if (end !== undefined) expect(end).toEqual({ code: 1001, reason: 'The server is stopping' })
        expect(updates).toBeGreaterThan(0)
      }
    }
    expect(await migrations()).toBeGreaterThan(known)
    expect(failures).toEqual([])
    const statuses = async () =>
      (await database.query('select status, count(*)::int as count from workflow_runs group by status')).rows
    await vi.waitFor(
      async () => expect(await statuses()).toEqual([{ status: 'completed', count: load.started }]),
      { timeout: 120_000, interval: 100 },
    )
  },
)
