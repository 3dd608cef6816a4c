import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pid } from 'node:process'

import { bytes, millicores } from '@bey/contract/kubernetes/quantity'

import { createClusterMoves } from './features/clusters/cluster-moves.ts'
import { createClusterRuns } from './features/clusters/cluster-runs.ts'
import { createClusterEvents } from './features/clusters/cluster-events.ts'
import { createConnections } from './features/clusters/connections.ts'
import { createConnectionService } from './features/clusters/import/connection-service.ts'
import { createDemoClusters } from './features/clusters/demo/demo-clusters.ts'
import { createImports } from './features/clusters/import/import-service.ts'
import { importWorkflows } from './features/clusters/import/import-workflows.ts'
import { createProbe } from './features/clusters/import/probe/probe.ts'
import type { ClusterProvider } from './features/clusters/provider.ts'
import { createSandboxes } from './features/clusters/sandboxes.ts'
import { createClusters } from './features/clusters/service.ts'
import { superviseClusters } from './features/clusters/supervision.ts'
import { clusterWorkflows } from './features/clusters/workflows.ts'
import { createClusterAgents } from './features/kubernetes/connection/cluster-agents.ts'
import { createClusterAccess } from './features/kubernetes/run-access/cluster-access.ts'
import { createRunRotation } from './features/secrets/rotate-for-run.ts'
import { createSecretResolver } from './features/secrets/resolve.ts'
import { createSecretValues } from './features/secrets/named-values.ts'
import { createClusterCall } from './features/kubernetes/connection/cluster-call.ts'

import type { RunMove, WorkflowDefinition } from './features/workflows/definition/definition.ts'
import type { AskedApproval, Publish } from './features/workflows/ports.ts'
import { createWorkflows, type Workflows } from './features/workflows/service.ts'
import type { DatabaseProofs, NetworkSteps, StepParts } from './features/workflows/steps/ports.ts'
import { type ActingRun, actorOf } from './features/workflows/steps/run-actor.ts'
import { createStepTypes } from './features/workflows/steps/registry.ts'
import { createRunSecrets } from './features/workflows/steps/run-secrets.ts'
import type { StepType } from './features/workflows/steps/step-type.ts'
import type { Clock } from './platform/clock.ts'
import type { DataKeys } from './platform/crypto/data-keys.ts'
import type { Database, Db } from './platform/db/database.ts'
import { type Engine, newExecutorId, startEngine } from './platform/engine/engine.ts'
import { connectEngine } from './platform/engine/remote-engine.ts'
import { StepFailure } from './platform/engine/step-failure.ts'
import { endAccess } from './platform/live/access-end.ts'
import { isAlive } from './platform/liveness.ts'
import { createAddressGuard, type OutboundPolicy } from './platform/outbound/address-guard.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import type { Log } from './platform/log.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { createSandboxProvider, type SandboxOptions } from './providers/sandbox.ts'

export type OperationsOptions = {
  database: Database
  dataKeys: DataKeys
  publish: Publish
  clock: Clock
  log: Log
  /** None unless given. */
  tracing?: Tracing | undefined
  /** Whether no run and no step may begin at the moment; never unless given. */
  isReadOnly?: () => boolean
  version: string
  dataDir: string
  machineId: string
  sandboxSpeed: number
  /** What sandboxes may take and where their webhooks may go; the provider's defaults unless given. */
  sandboxLimits?: Pick<SandboxOptions, 'memoryMib' | 'budgetMib' | 'webhookTargets' | 'databaseBytes'>
  /** Which addresses imported clusters may have; any unless given. */
  outbound?: OutboundPolicy
  /** `web` executes nothing; `all` unless given. */
  role?: 'all' | 'web' | 'worker'
  /** How long steps under way may take when this process stops. */
  drainMs?: number
  /** Whether this process listens for requests somewhere, for people who read the table of processes. */
  address: string
  onClusterGone(db: Db, organizationId: number, clusterId: number): Promise<void>
  /** Told of every move of a run in its own transaction, besides the workflow's own definition. */
  onRunMove?(db: Db, move: RunMove): Promise<void>
  /** Whether steps can send mails; none unless given. */
  isMailConfigured?(): Promise<boolean>
  /** Opens the databases that steps name; none are there unless given. */
  openDatabase?: StepParts['openDatabase']
  /** Makes backups and drills of databases by runs of their own; none can be made unless given. */
  databaseProofs?(workflows: Pick<Workflows, 'startRun'>): DatabaseProofs
  /** Told of every approval that a run asks for, in the transaction that asks. */
  onApproval?(db: Db, approval: AskedApproval): Promise<void>
  /** Types of steps beside the product's own, for tests. */
  stepTypes?: readonly StepType[]
  /** Another provider than the sandbox, for tests. */
  provider?: ClusterProvider
}

/** Long operations: workflows, the clusters that they work on, and the engine that executes them once it is started. */
export async function openOperations(options: OperationsOptions) {
  const { database, clock, log, publish, machineId, role = 'all' } = options
  const executorId = role === 'web' ? '' : newExecutorId(pid, randomBytes(8).toString('hex'))
  const provider =
    options.provider ??
    createSandboxProvider({
      root: join(options.dataDir, 'sandboxes'),
      machineId,
      speed: options.sandboxSpeed,
      clock,
      ...options.sandboxLimits,
    })
  const providers = new Map([[provider.id, provider]])
  const connections = createConnections(database, options.dataKeys)
  const clusterEvents = createClusterEvents(publish)

  const definitions = new Map<string, WorkflowDefinition>()
  const stepTypes = new Map<string, StepType>()
  const engine: { current?: Engine } = {}
  const launch = Promise.withResolvers<Engine>()
  // Where nobody waits for it, an end before the start is no error.
  launch.promise.catch(() => undefined)
  // At once where it has started: some callers send their commit right behind.
  const withEngine = <T>(act: (started: Engine) => Promise<T>): Promise<T> =>
    engine.current ? act(engine.current) : launch.promise.then(act)
  const workflows = createWorkflows({
    database,
    executorId,
    definitions,
    stepTypes,
    publish,
    onRunMove: options.onRunMove,
    onApproval: options.onApproval,
    engine: {
      enqueue: (db, runId) => withEngine((each) => each.enqueue(db, runId)),
      requestCancel: (db, runId) => withEngine((each) => each.requestCancel(db, runId)),
      wakeRun: (db, runId) => withEngine((each) => each.wakeRun(db, runId)),
      state: () => started(engine).state(),
    },
    clock,
    version: options.version,
  })
  const clusters = createClusters({ database, workflows, connections, events: clusterEvents, providers })
  const sandboxes = createSandboxes({ database, clusters, connections, provider })
  const outbound = createOutbound(createAddressGuard(options.outbound ?? { kind: 'any' }))
  const agents = createClusterAgents(outbound)
  const call = createClusterCall(agents)
  const probe = createProbe({ call, outbound, clock })
  const runs = createClusterRuns({ workflows, connections })
  const imports = createImports({
    database,
    connections,
    runs,
    events: clusterEvents,
    probe,
    guard: outbound.guard,
  })
  const connectionService = createConnectionService({
    database,
    connections,
    events: clusterEvents,
    probe,
    onReplaced: (db, clusterId) => endAccess(db, { kind: 'cluster', clusterId }),
  })
  const onClusterGone: typeof options.onClusterGone = (...gone) => options.onClusterGone(...gone)
  const built = clusterWorkflows({
    database,
    connections,
    events: clusterEvents,
    providers,
    clock,
    log,
    onClusterGone,
  })
  const imported = importWorkflows({
    database,
    connections,
    events: clusterEvents,
    moves: createClusterMoves({ events: clusterEvents, clock, log }),
    probe,
    call,
    quantities: { bytes, millicores },
    clock,
    onClusterGone,
  })
  const secretParts = { database, dataKeys: options.dataKeys, clock }
  const networks: { current?: NetworkSteps } = {}
  // Known only now: they act on what runs have to be known for first.
  const actions = createStepTypes({
    database,
    clock,
    publish,
    outbound,
    kubernetes: createClusterAccess({ connect: clusters.connect, agents, clock }),
    clusters,
    openDatabase:
      options.openDatabase ??
      ((_organizationId, name) => Promise.reject(new StepFailure(`There is no database "${name}".`))),
    networks: lateNetworks(networks),
    databaseProofs: options.databaseProofs?.(workflows) ?? { begin: noDatabases, outcome: noDatabases },
    isMailConfigured: options.isMailConfigured ?? (async () => false),
    rotateSecret: createRunRotation(secretParts),
  })
  for (const [name, type] of actions) stepTypes.set(name, type)
  for (const type of options.stepTypes ?? []) stepTypes.set(type.type, type)
  const secretsOf = createRunSecrets(createSecretResolver(secretParts))
  const secretValuesOf = createSecretValues(secretParts)

  let supervision: ReturnType<typeof superviseClusters> | undefined

  /** Executes runs from now on. `builtIns` are the workflows that features bring; call it once. */
  async function start(builtIns: readonly WorkflowDefinition[]): Promise<void> {
    for (const definition of builtIns) definitions.set(definition.key, definition)
    engine.current =
      role === 'web'
        ? connectEngine({ database, clock, log })
        : await startEngine({
            database,
            identity: { executorId, machineId, address: options.address, role },
            interpreter: workflows.interpreter({
              log,
              tracing: options.tracing,
              isReadOnly: options.isReadOnly,
              secretsOf,
              secretValuesOf,
            }),
            isReadOnly: options.isReadOnly,
            clock,
            log,
            isProcessAlive: isAlive,
            ...(options.drainMs !== undefined && { drainMs: options.drainMs }),
          })
    launch.resolve(engine.current)
    if (role === 'web') return
    supervision = superviseClusters({ database, clusters, connections, provider, machineId, clock, log })
  }

  return {
    workflows,
    stepTypes,
    secretsOf,
    clusters,
    sandboxes,
    imports,
    connections: connectionService,
    agents,
    /** Clusters of demos. */
    demoClusters: createDemoClusters({
      database,
      provider,
      connections,
      look: async (organizationId, id) => supervision?.look(organizationId, id),
      log,
    }),
    /** Creation, deletion and import of clusters. */
    clusterWorkflows: [...built, ...imported],
    start,
    /** Lets steps apply and check networks; call it before the start. */
    bindNetworks: (steps: NetworkSteps) => void (networks.current = steps),
    /** In whose name a run acts on clusters. Throws StepFailure once they may not any more. */
    actorOf: (run: ActingRun) => actorOf(database, run, 'kubernetes.write'),
    /** Throws before the start. */
    engine: () => started(engine),
    /** The engine first, so that no step starts a cluster that is being stopped. */
    async stop() {
      launch.reject(new Error('The engine was stopped'))
      await engine.current?.stop()
      await supervision?.stop()
      agents.close()
    },
  }
}

function noDatabases(): Promise<never> {
  return Promise.reject(new StepFailure('There are no databases here.'))
}

/** What is known only once the features are there. */
function lateNetworks(known: { current?: NetworkSteps }): NetworkSteps {
  const found = () => {
    if (known.current === undefined) throw new StepFailure('There are no networks here.')
    return known.current
  }
  return {
    apply: async (...given) => found().apply(...given),
    applied: async (...given) => found().applied(...given),
    reach: async (...given) => found().reach(...given),
    drift: async (...given) => found().drift(...given),
  }
}

function started(engine: { current?: Engine }): Engine {
  if (engine.current === undefined) throw new Error('The engine has not started')
  return engine.current
}
