import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { ownWorkflow } from './features/workflows/testing/own-workflows.ts'
import { startServerChild } from './testing/child-process.ts'
import { testDatabase } from './testing/database.ts'
import { createGiven } from './testing/given.ts'
import { seeded } from './testing/seeded.ts'

const database = await testDatabase()
const given = createGiven(database)
const dir = await mkdtemp(join(tmpdir(), 'bey-graph-'))
const ledger = join(dir, 'ledger')
afterAll(() => rm(dir, { recursive: true, force: true }))

const kills = 6
const runsAtOnce = 3
const noted = (key: string, more: object = {}) => ({ key, name: key, type: 'noted', ...more })

type RunRow = { id: string; status: string; finished: boolean }
type StepRow = { run_id: string; key: string; status: string; attempt: number; ms: string | null }

async function rowsOf<Row extends object>(text: string, organizationId: number): Promise<Row[]> {
  const { rows } = await database.ownerPool.query<Row>(text, [organizationId])
  return rows
}

const runsOf = (organizationId: number) =>
  rowsOf<RunRow>(
    'select id, status, finished_at is not null as finished from workflow_runs where organization_id = $1',
    organizationId,
  )

test(
  `graphs with branches, loops, waits and sub-workflows survive ${kills} SIGKILLs: none lost, no recorded step repeated`,
  { timeout: 180_000 },
  async () => {
    const user = await given.user()
    const { organizationId } = user
    await ownWorkflow(database, user, { name: 'inner', steps: [noted('inside')] })
    const workflowId = await ownWorkflow(database, user, {
      steps: [
        noted('first'),
        noted('left', { needs: ['first'] }),
        noted('right', { needs: ['first'] }),
        { key: 'pause', name: 'Pause', type: 'wait', needs: ['left', 'right'], config: { duration_ms: 30 } },
        noted('each', { foreach: { items: '[1, 2, 3]', maxParallel: 2 } }),
        { key: 'sub', name: 'Sub', type: 'subworkflow', config: { workflow: 'inner' } },
        noted('last'),
      ],
    })
    const random = seeded(7)
    const env = { DATABASE_URL: database.url, LEDGER: ledger, GATES: dir, ROOT_KEY: '7'.repeat(64) }
    for (let killed = 0; killed < kills; killed += 1) {
      const child = await startServerChild({ ...env, KILL_AT: String(5 + Math.floor(random() * 60)) })
      while (!child.isOver()) {
        const open = (await runsOf(organizationId)).filter(({ finished }) => !finished).length
        const before = child.answers().length
        if (open < runsAtOnce) {
          child.send({ do: 'execute', organizationId, userId: user.id, title: workflowId })
          await vi.waitUntil(() => child.isOver() || child.answers().length > before, {
            timeout: 60_000,
            interval: 5,
          })
        } else await Promise.race([child.over, new Promise((resolve) => setTimeout(resolve, 10))])
      }
    }
    const last = await startServerChild(env)
    const runs = await vi.waitFor(
      async () => {
        const all = await runsOf(organizationId)
        const open = all.filter(({ finished }) => !finished)
        if (open.length > 0) throw new Error(`Still going: ${JSON.stringify(open)}`)
        return all
      },
      { timeout: 60_000, interval: 50 },
    )
    last.kill()
    await last.over
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['completed']))
    await expectOnce(organizationId)
  },
)

/** Each beginning is an attempt of its own, and none comes after the record of its step. */
async function expectOnce(organizationId: number): Promise<void> {
  const steps = await rowsOf<StepRow>(
    'select run_id, key, status, attempt from step_runs where organization_id = $1',
    organizationId,
  )
  const lines = (await readFile(ledger, 'utf8')).trim().split('\n')
  for (const { run_id: runId, key, status, attempt } of steps) {
    expect(status, key).toBe('succeeded')
    const begun = lines.filter((line) => line.endsWith(` begin ${runId}:${key}`))
    expect(begun.length, `${runId}:${key}`).toBeLessThanOrEqual(attempt)
    // One process begins a step once.
    expect(new Set(begun).size).toBe(begun.length)
  }
  const gaps = await rowsOf(
    `select id from workflow_runs r where organization_id = $1
      and r.log_count <> (select coalesce(max(seq), 0) from step_logs l where l.run_id = r.id)`,
    organizationId,
  )
  expect(gaps).toEqual([])
}
