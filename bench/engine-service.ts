import { randomBytes } from 'node:crypto'

import { createWorkflows } from '../packages/server/src/features/workflows/service.ts'
import type { StepContext } from '../packages/server/src/features/workflows/definition/definition.ts'
import { flowTypes } from '../packages/server/src/features/workflows/testing/own-workflows.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import type { Engine } from '../packages/server/src/platform/engine/engine.ts'
import { newExecutorId, startEngine } from '../packages/server/src/platform/engine/engine.ts'
import { publishAll } from '../packages/server/src/platform/live/publish.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createGiven, type GivenUser } from '../packages/server/src/testing/given.ts'

type Options = {
  /** Keys of the steps of the workflow that is measured. */
  steps: readonly string[]
  /** What each step does, beside its one line in the log. */
  execute?: (context: StepContext) => Promise<void>
  /** Called when a run is over and DBOS has recorded its last event. */
  onOver?: (runId: string) => void
}

/**
 * The workflows of the product with its engine, over a database: queued by the service, taken by the dispatcher, executed
 * by the interpreter, with events and row-level security.
 */
export async function openService(database: Database, options: Options) {
  const user = await createGiven(database).user()
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const executorId = newExecutorId(process.pid, randomBytes(6).toString('hex'))
  const held: { engine?: Engine } = {}
  const engineOf = () => {
    if (held.engine === undefined) throw new Error('The engine has not started')
    return held.engine
  }
  const definition = {
    key: 'bench',
    name: 'Benchmark',
    description: '',
    type: 'custom' as const,
    steps: options.steps.map((key) => ({
      key,
      name: key,
      type: 'bench',
      guarantee: 'at_least_once' as const,
      execute: async (context: StepContext) => {
        context.log(`Doing ${key}.`)
        await options.execute?.(context)
        return {}
      },
    })),
  }
  const workflows = createWorkflows({
    database,
    executorId,
    definitions: new Map([[definition.key, definition]]),
    stepTypes: new Map(flowTypes.map((type) => [type.type, type])),
    publish: publishAll,
    engine: {
      enqueue: (db, runId) => engineOf().enqueue(db, runId),
      requestCancel: (db, runId) => engineOf().requestCancel(db, runId),
      wakeRun: (db, runId) => engineOf().wakeRun(db, runId),
      state: () => engineOf().state(),
    },
    clock: realClock,
    version: 'bench',
  })
  const interpreter = workflows.interpreter({
    log,
    secretsOf: () => () => Promise.reject(new Error('There are no secrets')),
    secretValuesOf: () => Promise.resolve([]),
  })
  const engine = (held.engine = await startEngine({
    database,
    identity: { executorId, machineId: 'bench', address: 'bench' },
    interpreter: {
      ...interpreter,
      async begin(ref, host) {
        const program = await interpreter.begin(ref, host)
        return (
          program && {
            ...program,
            apply(event) {
              program.apply(event)
              if (event['over'] === true) options.onOver?.(ref.runId)
            },
          }
        )
      },
    },
    clock: realClock,
    log,
    isProcessAlive: () => true,
  }))

  return {
    user,
    workflows,
    engine,
    /** Starts a run of the measured workflow; answers its id after the commit. */
    async start(by: GivenUser = user): Promise<string> {
      const { runId } = await database.withTenant(by.organizationId, (db) =>
        workflows.startRun(db, {
          organizationId: by.organizationId,
          workflowKey: 'bench',
          subject: null,
          input: {},
          trigger: 'manual',
          createdBy: by.id,
        }),
      )
      return runId
    },
  }
}
