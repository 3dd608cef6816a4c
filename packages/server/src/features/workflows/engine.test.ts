import { randomBytes } from 'node:crypto'
import { pid } from 'node:process'

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { realClock } from '../../platform/clock.ts'
import { type Engine, newExecutorId, startEngine } from '../../platform/engine/engine.ts'
import { createLog } from '../../platform/log.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import type { StepContext, WorkflowDefinition } from './definition.ts'
import type { Publish } from './ports.ts'
import { createRunEvents } from './run-events.ts'
import { createRunner } from './runner.ts'
import { createWorkflows } from './service.ts'

const database = await testDatabase()
const given = createGiven(database)
const log = createLog({ level: 'fatal', write: () => undefined })

/** What the steps of the toy workflow do, by run; a step without an entry succeeds at once. */
const acts = new Map<string, (context: StepContext) => Promise<Record<string, unknown> | undefined>>()
const executed: string[] = []
const published: { type: string; data: unknown }[] = []

const step = (key: string) => ({
  key,
  name: `Step ${key}`,
  type: 'test',
  guarantee: 'at_least_once' as const,
  execute: async (context: StepContext) => {
    executed.push(`${context.run.id}:${key}`)
    context.log(`Doing ${key}.`)
    return acts.get(`${String(context.run.input['act'])}:${key}`)?.(context)
  },
})
const toy: WorkflowDefinition = {
  key: 'toy',
  name: 'Toy',
  description: 'For tests.',
  type: 'custom',
  steps: [step('one'), step('two'), step('three')],
}
const definitions = new Map([[toy.key, toy]])
const publish: Publish = async (_db, event) => {
  published.push({ type: event.type, data: event.data })
}
const events = createRunEvents(publish)
const executorId = newExecutorId(pid, randomBytes(6).toString('hex'))
let engine: Engine

const workflows = createWorkflows({
  database,
  definitions,
  events,
  engine: {
    enqueue: (db, runId) => engine.enqueue(db, runId),
    requestCancel: (db, runId) => engine.requestCancel(db, runId),
    state: () => engine.state(),
  },
  clock: realClock,
  version: 'test',
})

beforeAll(async () => {
  engine = await startEngine({
    database,
    identity: { executorId, machineId: 'm1', address: 'test' },
    interpreter: createRunner({ database, definitions, events, clock: realClock, log, executorId }),
    clock: realClock,
    log,
    isProcessAlive: () => true,
  })
})
afterAll(() => engine.stop())

async function start(act: string, subject: { type: 'cluster'; id: number } | null = null) {
  const user = await given.user()
  const { organizationId } = user
  const run = await database.withTenant(organizationId, (db) =>
    workflows.startRun(db, {
      organizationId,
      workflowKey: 'toy',
      subject,
      input: { act },
      trigger: 'manual',
      createdBy: user.id,
    }),
  )
  return { ...run, organizationId, user }
}

async function ended(of: { organizationId: number; workflowId: string; runId: string }) {
  return vi.waitFor(
    async () => {
      const detail = await workflows.run(of.organizationId, of.workflowId, of.runId)
      if (detail.run.finishedAt === null) throw new Error(`still ${detail.run.status}`)
      return detail
    },
    { timeout: 10_000, interval: 20 },
  )
}

test('a run goes through its steps in order and keeps what they gave and said', async () => {
  acts.set('plain:one', async () => ({ answer: 42 }))
  const run = await start('plain')
  const detail = await ended(run)
  expect(detail.run.status).toBe('completed')
  expect(detail.run.output).toEqual({ one: { answer: 42 } })
  expect(detail.steps.map((each) => [each.key, each.status, each.attempt, each.progressPercent])).toEqual([
    ['one', 'succeeded', 1, 100],
    ['two', 'succeeded', 1, 100],
    ['three', 'succeeded', 1, 100],
  ])
  expect(detail.logs.map((line) => [line.seq, line.stepKey, line.message])).toEqual([
    [1, 'one', 'Doing one.'],
    [2, 'two', 'Doing two.'],
    [3, 'three', 'Doing three.'],
  ])
  expect(executed.filter((entry) => entry.startsWith(run.runId))).toHaveLength(3)
})
