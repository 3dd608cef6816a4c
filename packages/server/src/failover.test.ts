import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test, vi } from 'vitest'

import { startBeyProcess } from './testing/database-chaos/bey-process.ts'
import { replicatedPostgres } from './testing/replicated-postgres.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'

/** Of each of two people, so that nobody meets the rate limit. */
const paceMs = 250
const waiting = { timeout: 120_000, interval: 100 }

test('when a standby takes over for the database, what was acknowledged is there, and the server goes on without a restart', async () => {
  const database = await replicatedPostgres()
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  const bey = await startBeyProcess({
    DATABASE_URL: database.url,
    BEY_DATA_DIR: dataDir,
    BEY_SECRET_KEY: randomBytes(32).toString('base64'),
  })
  onTestFinished(() => bey.stop())
  let headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${bey.url()}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
    return { status: reply.status, body: (await reply.json()) as any }
  }
  const account = {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'difference-1!',
    organizationName: 'Ada',
  }
  const { body } = await send('POST', '/api/auth/signup', account)
  headers = {
    ...headers,
    authorization: `Bearer ${body.token}`,
    'x-organization-id': String(body.user.organizations[0].id),
  }
  const pause = { key: 'pause', name: 'Pause', type: 'wait', config: { duration_ms: 2_000 } }
  const say = {
    key: 'say',
    name: 'Say',
    type: 'script',
    needs: ['pause'],
    config: { code: 'return { said: true }' },
  }
  const { body: made } = await send('POST', '/api/v1/workflows', { name: 'Nightly', steps: [pause, say] })
  const runs = `/api/v1/workflows/${made.workflow.id}/runs`

  const acknowledged = { secrets: [] as string[], runs: [] as string[] }
  const refused = new Set<number>()
  const load = { isOn: true }
  const people = [
    repeat(async (turn) => {
      const name = `secret-${turn}`
      const { status } = await send('POST', '/api/secrets', { name, value: 'x' })
      if (status === 201) acknowledged.secrets.push(name)
      else refused.add(status)
    }),
    repeat(async () => {
      const { status, body: started } = await send('POST', runs, {})
      if (status < 300) acknowledged.runs.push(started.run.id)
      else refused.add(status)
    }),
  ]
  async function repeat(work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; load.isOn; turn += 1) {
      await work(turn)
      await sleep(paceMs)
    }
  }
  const more = async (count: number) => {
    const until = acknowledged.secrets.length + count
    await vi.waitFor(() => expect(acknowledged.secrets.length).toBeGreaterThanOrEqual(until), waiting)
  }
  try {
    await more(10)
    await database.loseThePrimary()
    // The address leads to a standby, which serves nobody yet.
    await vi.waitFor(async () => {
      expect(await send('GET', '/health')).toMatchObject({ status: 503, body: { database: 'down' } })
    }, waiting)
    await database.promote()
    await vi.waitFor(async () => expect((await send('GET', '/health')).status).toBe(200), waiting)
    await more(10)
  } finally {
    load.isOn = false
    await Promise.all(people)
  }
  // Nobody met an internal error, nor a change that a standby refuses.
  expect([...refused].filter((status) => status !== 503)).toEqual([])

  const found = new Set<string>()
  for (let page = 1, last = 200; last === 200; page += 1) {
    const { body: list } = await send('GET', `/api/secrets?limit=200&page=${page}`)
    for (const { name } of list.secrets) found.add(name)
    last = list.secrets.length
  }
  expect(acknowledged.secrets.filter((name) => !found.has(name))).toEqual([])
  await vi.waitFor(async () => {
    for (const id of acknowledged.runs) {
      const { status, body: read } = await send('GET', `${runs}/${id}`)
      expect([status, read.run?.status]).toEqual([200, 'completed'])
    }
  }, waiting)
}, 300_000)
