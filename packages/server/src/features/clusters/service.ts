import type { Member } from '../../platform/act.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Workflows } from '../workflows/service.ts'
import { createClusterChange } from './change-cluster.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { createClusterReads } from './cluster-reads.ts'
import { createClusterRuns } from './cluster-runs.ts'
import type { Connections } from './connections.ts'
import { createClusterCreation } from './create-cluster.ts'
import type { ClusterProvider } from './provider.ts'
import { createClusterProvision } from './provision-cluster.ts'
import { createClusterRemoval } from './remove-cluster.ts'
import { existing } from './existing-cluster.ts'
import { lockCluster, updateCluster } from './store.ts'
import { joinWorkflowKey } from './workflows.ts'

type Options = {
  database: Database
  workflows: Pick<Workflows, 'startRun' | 'cancelRun' | 'progress'>
  connections: Connections
  events: ClusterEvents
  providers: ReadonlyMap<string, ClusterProvider>
}

export function createClusters(options: Options) {
  const { database, connections, events } = options
  const runs = createClusterRuns(options)
  const parts = { ...options, runs }

  return {
    ...createClusterReads(options),
    create: createClusterCreation(parts),
    provision: createClusterProvision(parts),
    remove: createClusterRemoval(parts),
    change: createClusterChange({ database, events }),
    connect: connections.connect.bind(connections),

    /** Records that a cluster's control plane had to be started again, and why. */
    async recordRestart(organizationId: number, id: number, reason: string): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        await updateCluster(db, id, { restartedAt: new Date(), restartReason: reason })
        await events.listChanged(db, organizationId)
      })
    },

    /** Notes how many nodes a group has, as they were counted. */
    async setNodeCount(organizationId: number, id: number, group: string, count: number): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        const cluster = await lockCluster(db, organizationId, id)
        if (cluster === undefined) return
        const nodeGroups = cluster.nodeGroups.map((each) => (each.name === group ? { ...each, count } : each))
        await updateCluster(db, id, { nodeGroups })
        await events.listChanged(db, organizationId)
      })
    },

    /** Adds a node to a group, as a run. Throws AppError `not_found` and `conflict`. */
    async addNode(db: Db, caller: Member, id: number, group: string) {
      const { organizationId } = caller
      const cluster = existing(await lockCluster(db, organizationId, id))
      const found = cluster.nodeGroups.find(({ name }) => name === group)
      if (cluster.status !== 'RUNNING' || found === undefined)
        throw new AppError(
          'conflict',
          found === undefined
            ? `"${cluster.title}" has no group of nodes named "${group}" any more.`
            : `"${cluster.title}" is not running.`,
        )
      const nodeGroups = cluster.nodeGroups.map((each) =>
        each === found ? { ...each, count: each.count + 1 } : each,
      )
      await updateCluster(db, id, { nodeGroups })
      await events.listChanged(db, organizationId)
      return options.workflows.startRun(db, {
        organizationId,
        workflowKey: joinWorkflowKey,
        subject: { type: 'cluster', id: String(id) },
        input: { clusterId: id, title: cluster.title },
        trigger: 'manual',
        createdBy: caller.user.id,
      })
    },

    /** Notes whether a cluster's API answers, and since when; does nothing when that is known already. */
    async setReachability(
      organizationId: number,
      id: number,
      state: 'reachable' | 'unreachable',
      reason: string | null,
      since: Date,
    ): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        const cluster = await lockCluster(db, organizationId, id)
        if (cluster === undefined || cluster.status !== 'RUNNING') return
        if (cluster.reachability === state && cluster.reachabilityReason === reason) return
        await updateCluster(db, id, {
          reachability: state,
          reachabilityReason: reason,
          ...(cluster.reachability === state ? {} : { reachabilitySince: since }),
        })
        await events.listChanged(db, organizationId)
      })
    },

    /** Notes which cluster answers; one that is not the one of before, or an earlier state of it, was replaced. */
    async noteIdentity(
      organizationId: number,
      id: number,
      { uid, isReplaced }: { uid: string | null; isReplaced: boolean },
    ): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        const cluster = await lockCluster(db, organizationId, id)
        if (cluster === undefined || cluster.status !== 'RUNNING') return
        const isOther = uid !== null && cluster.kubeSystemUid !== null && cluster.kubeSystemUid !== uid
        if (!isReplaced && !isOther && (uid === null || cluster.kubeSystemUid === uid)) return
        await updateCluster(db, id, {
          ...(uid !== null && { kubeSystemUid: uid }),
          ...((isReplaced || isOther) && { replacedAt: new Date() }),
        })
        if (isReplaced || isOther) await events.listChanged(db, organizationId)
      })
    },
  }
}

export type Clusters = ReturnType<typeof createClusters>
