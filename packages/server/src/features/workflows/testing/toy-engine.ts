import type { EntityRef } from '@bey/contract'
import { randomBytes } from 'node:crypto'
import { pid } from 'node:process'

import { vi } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { type Engine, newExecutorId, startEngine } from '../../../platform/engine/engine.ts'
import { createLog } from '../../../platform/log.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven, type GivenUser } from '../../../testing/given.ts'
import type { Json, StepContext, WorkflowDefinition } from '../definition/definition.ts'
import type { Publish } from '../ports.ts'
import { createWorkflows } from '../service.ts'
import { stepTypesOf } from '../steps/registry.ts'
import { transform } from '../steps/types/transform.ts'
import type { ActionContext, StepType } from '../steps/step-type.ts'
import { actType, flowTypes, ownWorkflow } from './own-workflows.ts'

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
  const definitions = new Map<string, WorkflowDefinition>([[toy.key, toy]])
  /** What steps of workflows of one's own do, by `act:step`. */
  const ownActs = new Map<string, (context: ActionContext, config: Json) => Promise<Json | undefined>>()
  const types = [...stepTypesOf([transform]).values(), ...flowTypes, actType(ownActs, executed)]
  const stepTypes = new Map<string, StepType>(types.map((type) => [type.type, type]))
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
  const bulk = workflows.bulkWorkflow()
  definitions.set(bulk.key, bulk)
  const engine = (held.engine = await startEngine({
    database,
    identity: { executorId, machineId: 'm1', address: 'test' },
    interpreter: workflows.interpreter({
      log,
      secretsOf: () => () => Promise.resolve('canary-secret'),
      secretValuesOf: () => Promise.resolve(['canary-secret']),
    }),
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

  /** Starts a run of a new workflow of one's own; `act` is what its steps look for in `ownActs`. */
  async function startOwn(
    definition: Parameters<typeof ownWorkflow>[2],
    input: Json = {},
    options: { user?: GivenUser; priority?: number } = {},
  ) {
    const user = options.user ?? (await given.user())
    const workflowId = await ownWorkflow(database, user, definition)
    return startAgain(user, workflowId, input, options.priority)
  }

  async function startAgain(user: GivenUser, workflowId: string, input: Json = {}, priority?: number) {
    const { organizationId } = user
    const started = await database.withTenant(organizationId, (db) =>
      workflows.startWorkflowRun(db, {
        organizationId,
        workflowId,
        input,
        trigger: 'manual',
        createdBy: user.id,
        priority,
      }),
    )
    if (started.kind === 'skipped') throw new Error(started.reason)
    return { workflowId, runId: started.runId, organizationId, user }
  }

  /** Waits until the run is as it should be; answers its detail. */
  function reached(
    of: { organizationId: number; workflowId: string; runId: string },
    holds: (detail: Awaited<ReturnType<typeof workflows.run>>) => boolean,
  ) {
    return vi.waitFor(
      async () => {
        const detail = await workflows.run(of.organizationId, of.workflowId, of.runId)
        if (!holds(detail)) throw new Error(`still ${detail.run.status}`)
        return detail
      },
      { timeout: 60_000, interval: 15 },
    )
  }

  function ended(of: { organizationId: number; workflowId: string; runId: string }) {
    return vi.waitFor(
      async () => {
        const detail = await workflows.run(of.organizationId, of.workflowId, of.runId)
        if (detail.run.finishedAt === null) throw new Error(`still ${detail.run.status}`)
        return detail
      },
      { timeout: 60_000, interval: 20 },
    )
  }

  return {
    database,
    given,
    acts,
    ownActs,
    executed,
    published,
    executorId,
    stepTypes,
    workflows,
    engine,
    start,
    startOwn,
    startAgain,
    reached,
    ended,
  }
}
