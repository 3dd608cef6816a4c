import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { env, kill, pid, stdin, stdout } from 'node:process'

import { scriptedProvider } from '../features/clusters/testing/scripted-provider.ts'
import type { Publish } from '../features/workflows/ports.ts'
import { z } from 'zod'

import type { StepType } from '../features/workflows/steps/step-type.ts'
import { openOperations } from '../operations.ts'
import { realClock } from '../platform/clock.ts'
import { createDataKeys } from '../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../platform/crypto/root-key.ts'
import { openDatabase } from '../platform/db/database.ts'
import { publishAll } from '../platform/live/publish.ts'
import { createLog } from '../platform/log.ts'

/**
 * A server without its listeners, for tests that kill one. `KILL_AT` says at which of the points below it ends
 * itself with SIGKILL. Each operation of its provider is noted in `LEDGER` when it begins and when it ends.
 */
const killAt = Number(env['KILL_AT'] ?? 0)
const ledger = env['LEDGER'] ?? ''
const gates = env['GATES'] ?? ''
let passed = 0

function point(): void {
  passed += 1
  if (passed === killAt) kill(pid, 'SIGKILL')
}

const log = createLog({
  level: env['CHILD_LOG'] === undefined ? 'fatal' : 'debug',
  write: (line) => appendFileSync(`${ledger}.log`, line),
})
const database = await openDatabase({ url: env['DATABASE_URL'], dataDir: '/nowhere' }, log)

const scripted = scriptedProvider()
const note = (line: string) => appendFileSync(ledger, `${line}\n`)
for (const operation of ['allocate', 'start', 'join', 'addons', 'verify', 'stop', 'remove'] as const) {
  scripted.onAny(operation, async (cluster, step) => {
    point()
    note(`${pid} begin ${cluster.title} ${operation}`)
    step.progress(50)
    const gate = join(gates, `${cluster.title}-${operation}`)
    while (existsSync(`${gate}.closed`)) await step.sleep(10)
    point()
    note(`${pid} end ${cluster.title} ${operation}`)
    point()
  })
}

/** Inside a transaction before its commit, which is where a kill must leave nothing behind. */
const killingPublish: Publish = async (db, events) => {
  await publishAll(db, events)
  point()
}

/** After a commit and before whatever follows it. */
const killingDatabase = {
  ...database,
  withTenant: async <T>(...args: Parameters<typeof database.withTenant<T>>) => {
    const result = await database.withTenant(...args)
    point()
    return result
  },
  asSystem: async <T>(...args: Parameters<typeof database.asSystem<T>>) => {
    const result = await database.asSystem(...args)
    point()
    return result
  },
}

/** A repeatable step of workflows of one's own, which is noted in the ledger as `run:step`. */
const noted = {
  kind: 'action',
  type: 'noted',
  label: 'Noted',
  group: 'Flow',
  icon: 'pen',
  description: '',
  guaranteeNote: '',
  config: z.strictObject({}),
  example: {},
  output: {},
  test: 'real_only',
  guarantee: { cases: [], otherwise: 'at_least_once_keyed' },
} satisfies Partial<StepType>

const key = Buffer.from(env['ROOT_KEY'] ?? randomBytes(32).toString('hex'), 'hex')
const steps: StepType = {
  ...noted,
  async execute({ idempotencyKey }) {
    point()
    note(`${pid} begin ${idempotencyKey}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
    point()
    note(`${pid} end ${idempotencyKey}`)
    return { done: true }
  },
}
const operations = await openOperations({
  stepTypes: [steps],
  database: killingDatabase,
  dataKeys: createDataKeys({ key, fingerprint: fingerprintOf(key) }),
  publish: killingPublish,
  clock: realClock,
  log,
  version: 'test',
  dataDir: '/nowhere',
  machineId: env['MACHINE_ID'] ?? 'm1',
  sandboxSpeed: 1000,
  address: 'test',
  onClusterGone: async () => undefined,
  provider: scripted,
})
await operations.start(operations.clusterWorkflows)

type Command = {
  do: 'create' | 'delete' | 'provision' | 'execute' | 'stop'
  organizationId: number
  userId: number
  title: string
  id: number
}

async function handleCommand(command: Command): Promise<void> {
  const { organizationId, title, id } = command
  const user = { id: command.userId, name: 'Ada', email: 'ada@example.com' }
  const who = { organizationId, user, role: 'OWNER' as const, via: 'session' as const }
  switch (command.do) {
    case 'create':
      await operations.clusters.create(organizationId, { title, provider: 'sandbox' }, who)
      break
    case 'provision':
      await operations.clusters.provision(organizationId, id, who)
      break
    case 'delete':
      await operations.clusters.remove(organizationId, id, who)
      break
    case 'execute':
      await database.withTenant(organizationId, (db) =>
        operations.workflows.startWorkflowRun(db, {
          organizationId,
          workflowId: title,
          input: {},
          trigger: 'manual',
          createdBy: command.userId,
        }),
      )
      break
    case 'stop':
      await operations.stop()
      await database.close()
      kill(pid, 'SIGTERM')
  }
}

stdout.write(`${JSON.stringify({ event: 'ready', pid })}\n`)
createInterface({ input: stdin }).on('line', (line) => {
  // What the parent of the test writes; a command that a kill interrupts is looked up in the database.
  void handleCommand(JSON.parse(line) as Command).then(
    () => stdout.write(`${JSON.stringify({ event: 'done', passed })}\n`),
    (error: unknown) => stdout.write(`${JSON.stringify({ event: 'refused', error: String(error) })}\n`),
  )
})
