import type { EntityRef } from '@bey/contract'
import { randomBytes } from 'node:crypto'
import { pid } from 'node:process'

import { vi } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { type Engine, newExecutorId, startEngine } from '../../../platform/engine/engine.ts'
import { createLog } from '../../../platform/log.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import type { StepContext, WorkflowDefinition } from '../definition.ts'
import type { Publish } from '../ports.ts'
import { createWorkflows } from '../service.ts'
import { createStepTypes } from '../step-types/registry.ts'
import type { StepType } from '../step-types/step-type.ts'

/** An engine with one workflow of three steps, which do what `acts` says. */
export async function toyEngine() {
  const database = await testDatabase()
  const given = createGiven(database)
  const log = createLog({ level: 'fatal', write: () => undefined })

  /** What the steps do, by `act:step`; a step without an entry succeeds at once. */
  const acts = new Map<string, (context: StepContext) => Promise<Record<string, unknown> | undefined>>()
  /** Each execution of a step: `run:step`. */
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
  const stepTypes = new Map<string, StepType>(createStepTypes())
  const publish: Publish = async (_db, events) => {
    for (const { type, data } of events) published.push({ type, data })
  }
  const executorId = newExecutorId(pid, randomBytes(6).toString('hex'))
  const held: { engine?: Engine } = {}
  const engineOf = () => {
    if (held.engine === undefined) throw new Error('The engine has not started')
    return held.engine
  }
  const workflows = createWorkflows({
    database,
    executorId: '',
    definitions,
    stepTypes,
    publish,
    engine: {
      enqueue: (db, runId) => engineOf().enqueue(db, runId),
      requestCancel: (db, runId) => engineOf().requestCancel(db, runId),
      wakeRun: (db, runId) => engineOf().wakeRun(db, runId),
      state: () => engineOf().state(),
    },
    clock: realClock,
    version: 'test',
  })
  const engine = (held.engine = await startEngine({
    database,
    identity: { executorId, machineId: 'm1', address: 'test' },
    interpreter: workflows.interpreter({ log, secretsOf: () => () => Promise.resolve('canary-secret') }),
    clock: realClock,
    log,
    isProcessAlive: () => true,
  }))

  async function start(act: string, subject: EntityRef | null = null) {
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

  function ended(of: { organizationId: number; workflowId: string; runId: string }) {
    return vi.waitFor(
      async () => {
        const detail = await workflows.run(of.organizationId, of.workflowId, of.runId)
        if (detail.run.finishedAt === null) throw new Error(`still ${detail.run.status}`)
        return detail
      },
      { timeout: 30_000, interval: 20 },
    )
  }

  return { database, given, acts, executed, published, executorId, workflows, engine, start, ended }
}
