import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { EngineStopping } from '../../platform/engine/step-failure.ts'
import type { Log } from '../../platform/log.ts'
import type {
  Json,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../workflows/definition/definition.ts'
import { type ClusterEvents, clusterIdOf } from './cluster-events.ts'
import { createClusterMoves } from './cluster-moves.ts'
import type { Connections } from './connections.ts'
import type { ClusterProvider, LiveCluster, ProviderCluster } from './provider.ts'
import { deleteConnection, findCluster, revokeTokens } from './store.ts'

type Options = {
  database: Database
  connections: Connections
  events: ClusterEvents
  providers: ReadonlyMap<string, ClusterProvider>
  clock: Clock
  log: Log
  /** Ends whatever is open on a cluster that is being deleted, once the transaction is committed. */
  onClusterGone(db: Db, organizationId: number, clusterId: number): Promise<void>
}

export const joinWorkflowKey = 'cluster.join_nodes'

/** The built-in workflows that provision and delete clusters: each step is one operation of the provider. */
export function clusterWorkflows(options: Options): WorkflowDefinition[] {
  const { database, connections, clock } = options
  const moves = createClusterMoves(options)

  type Work = (
    context: StepContext,
    cluster: ProviderCluster,
    provider: ClusterProvider,
  ) => Promise<Json | undefined>

  function step(key: string, name: string, work: Work): StepDefinition {
    return {
      key,
      name,
      type: key.startsWith('delete_') ? 'cluster.delete' : 'cluster.provision',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const cluster = await clusterOf(context)
        const provider = options.providers.get(cluster.providerId)
        if (provider === undefined) throw new Error(`There is no provider "${cluster.providerId}"`)
        return work(context, cluster, provider)
      },
    }
  }

  async function clusterOf(context: StepContext): Promise<ProviderCluster & { providerId: string }> {
    const { organizationId } = context.run
    return database.readTenant(organizationId, async (db) => {
      const row = await findCluster(db, organizationId, clusterIdOf(context.run))
      if (row === undefined) throw new Error('The cluster of this run is gone')
      return { ...providerCluster(row, await connections.placement(db, row.id)), providerId: row.provider }
    })
  }

  async function liveOf(
    { run }: StepContext,
    cluster: ProviderCluster,
    provider: ClusterProvider,
  ): Promise<LiveCluster> {
    const saved = await database.readTenant(run.organizationId, (db) =>
      connections.live(db, run.organizationId, cluster.id),
    )
    if (cluster.placement === null || saved === null) throw new Error('The control plane has no address')
    // It may have died since the step that started it, for instance with the server.
    const live = await provider.keepRunning(cluster)
    if (live.pid !== saved.pid || live.url !== saved.url) await save(run.organizationId, cluster.id, live)
    return live
  }

  async function save(organizationId: number, clusterId: number, live: LiveCluster): Promise<void> {
    await database.withTenant(organizationId, (db) => connections.save(db, organizationId, clusterId, live))
  }

  /** Removes what a cancelled allocation made. */
  async function undoAllocation(
    context: StepContext,
    cluster: ProviderCluster,
    provider: ClusterProvider,
  ): Promise<void> {
    // Cancelled is the allocation, not its removal.
    await provider.removeState(cluster, { ...context, signal: new AbortController().signal })
    await database.withTenant(context.run.organizationId, (db) => deleteConnection(db, cluster.id))
  }

  const joinNodes = step('join_nodes', 'Join nodes', async (context, cluster, provider) => {
    await provider.joinNodes(cluster, await liveOf(context, cluster, provider), context)
    return undefined
  })

  const provision: StepDefinition[] = [
    step('allocate_machines', 'Allocate machines', async (context, cluster, provider) => {
      const placement = await provider.choosePlacement(cluster)
      const { organizationId } = context.run
      // Before anything is made there: whatever interrupts this step, a deletion finds what it left.
      await database.withTenant(organizationId, (db) =>
        connections.savePlacement(db, organizationId, cluster.id, placement),
      )
      try {
        await provider.allocateMachines(cluster, placement, context)
      } catch (error) {
        const isCancelled = context.signal.aborted && !(context.signal.reason instanceof EngineStopping)
        // What was there before this step may hold the state of an earlier time.
        if (isCancelled && cluster.placement === null)
          await undoAllocation(context, { ...cluster, placement }, provider)
        throw error
      }
      return placement
    }),
    step('start_control_plane', 'Start control plane', async (context, cluster, provider) => {
      if (cluster.placement === null) throw new Error('No machine is allocated')
      const live = await provider.startControlPlane(cluster, cluster.placement, context)
      await save(context.run.organizationId, cluster.id, live)
      return { url: live.url }
    }),
    joinNodes,
    step('install_addons', 'Install add-ons', async (context, cluster, provider) => {
      await provider.installAddons(cluster, await liveOf(context, cluster, provider), context)
      return undefined
    }),
    step('verify', 'Verify', async (context, cluster, provider) =>
      provider.verify(cluster, await liveOf(context, cluster, provider), context),
    ),
  ]

  const deletion: StepDefinition[] = [
    step('delete_control_plane', 'Stop control plane', async (context, cluster, provider) => {
      await provider.stopControlPlane(cluster, context)
      return undefined
    }),
    step('delete_state', 'Remove state', async (context, cluster, provider) => {
      await provider.removeState(cluster, context)
      return undefined
    }),
    step('delete_access', 'Revoke access', async (context, cluster) => {
      const { organizationId } = context.run
      const count = await database.withTenant(organizationId, async (db) => {
        const revoked = await revokeTokens(db, cluster.id, clock.now())
        await deleteConnection(db, cluster.id)
        await options.onClusterGone(db, organizationId, cluster.id)
        return revoked
      })
      context.log(
        count === 0
          ? 'No kubeconfig was in use.'
          : `Revoked ${count} kubeconfig token${count === 1 ? '' : 's'}.`,
      )
      return { revokedTokens: count }
    }),
  ]

  return [
    {
      key: joinWorkflowKey,
      name: 'Join nodes',
      description: 'Adds the nodes that the groups of a cluster lack.',
      type: 'provisioning',
      cancelPermission: 'clusters.provision',
      steps: [joinNodes],
    },
    {
      key: 'cluster.provision',
      name: 'Provision cluster',
      description: 'Allocates machines, starts the control plane, joins the nodes and installs the add-ons.',
      type: 'provisioning',
      cancelPermission: 'clusters.provision',
      steps: provision,
      onMove: moves.creation('Provisioning'),
    },
    {
      key: 'cluster.delete',
      name: 'Delete cluster',
      description: 'Stops a cluster, removes its state and revokes every kubeconfig.',
      type: 'maintenance',
      cancelPermission: 'clusters.delete',
      steps: deletion,
      onMove: moves.removal('Deletion'),
    },
  ]
}

/** What a provider is given of a row. */
export function providerCluster(
  row: {
    id: number
    organizationId: number
    title: string
    region: string | null
    version: string | null
    nodeGroups: ProviderCluster['nodeGroups']
  },
  placement: ProviderCluster['placement'],
): ProviderCluster {
  const { id, organizationId, title, nodeGroups } = row
  return {
    id,
    organizationId,
    title,
    nodeGroups,
    region: row.region ?? '',
    version: row.version ?? '',
    placement,
  }
}
