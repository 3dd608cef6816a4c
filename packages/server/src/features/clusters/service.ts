import { clusterCan, clusterQuotas, type ClusterProviderId, isRunOver, type NodeGroup } from '@bey/contract'

import type { Database, Db } from '../../platform/db/database.ts'
import { totalOf } from '../../platform/db/totals.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { Workflows } from '../workflows/service.ts'
import { createClusterChange } from './change-cluster.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { createClusterRuns, type Who } from './cluster-runs.ts'
import type { Connections } from './connections.ts'
import { type ClusterFilter, clusterPage, countClusters } from './list.ts'
import { presentCluster } from './present.ts'
import { asNameTaken } from './name-taken.ts'
import { readReferences } from './references.ts'
import type { ClusterProvider } from './provider.ts'
import {
  countOfProvider,
  findCluster,
  insertCluster,
  listOpenRuns,
  lockCluster,
  lockOrganization,
  lockWithNewestRun,
  type RunState,
  updateCluster,
} from './store.ts'

export type NewCluster = {
  title: string
  provider: ClusterProviderId
  region?: string | undefined
  version?: string | undefined
  nodeGroups?: NodeGroup[] | undefined
}

type Options = {
  database: Database
  workflows: Pick<Workflows, 'startRun' | 'cancelRun' | 'progress'>
  connections: Connections
  events: ClusterEvents
  providers: ReadonlyMap<string, ClusterProvider>
}

type LockedCluster = Awaited<ReturnType<typeof lockCluster>> & {}

export function createClusters(options: Options) {
  const { database, workflows, connections, events, providers } = options
  const { start, record } = createClusterRuns(options)

  async function create(organizationId: number, input: NewCluster, who: Who) {
    const provider = providers.get(input.provider)
    const info = provider?.describe()
    if (info === undefined) throw new AppError('invalid_request', `There is no provider "${input.provider}".`)
    const values = checked(input, info)
    const refusal = (await provider?.capacity?.())?.refusal
    if (refusal != null) throw new AppError('limit_reached', refusal)
    try {
      return await database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        if ((await countOfProvider(db, organizationId, input.provider)) >= clusterQuotas[input.provider]) {
          throw new AppError(
            'limit_reached',
            `This organization has ${clusterQuotas[input.provider]} ${info.label} clusters, which is the most it can have. Delete one first.`,
          )
        }
        const id = await insertCluster(db, { organizationId, ...values, createdBy: who.userId })
        const cluster = { id, organizationId, title: values.title, status: 'PENDING' as const }
        const run = await start(db, cluster, 'cluster.provision', 'PENDING', who)
        await events.listChanged(db, organizationId)
        await record(db, cluster, { action: 'cluster.create', class: 'create', diff: values }, who, run.runId)
        return await keepReply(db, presentCluster(present(await findCluster(db, organizationId, id))))
      })
    } catch (error) {
      throw asNameTaken(error, values.title)
    }
  }

  /**
   * Provisions a pending or failed cluster again, all of it or from the failed step on; asked while a run is under way,
   * answers that run.
   */
  function provision(
    organizationId: number,
    id: number,
    who: Who,
    mode: 'from_start' | 'from_failed' = 'from_start',
  ) {
    return database.withTenant(organizationId, async (db) => {
      const { cluster, last } = await lock(db, organizationId, id)
      const isUnderWay = cluster.status === 'PENDING' || cluster.status === 'CREATING'
      if (isUnderWay && last !== undefined && !isRunOver(last.status))
        return underWay(cluster, last, 'provisioned')
      const refusal = clusterCan.provision({ ...cluster, pending_operations: cluster.pendingOperations })
      if (refusal !== undefined)
        throw new AppError('conflict', `The cluster "${cluster.title}" was left alone: ${refusal}`)
      const resumeFrom = mode === 'from_failed' ? last?.id : undefined
      const workflow = isImported(cluster) ? 'cluster.import' : 'cluster.provision'
      const run = await start(db, cluster, workflow, 'CREATING', who, resumeFrom)
      await updateCluster(db, id, { error: null })
      await events.listChanged(db, organizationId)
      await record(db, cluster, { action: workflow, class: 'execute', diff: { mode } }, who, run.runId)
      return keepReply(db, {
        clusterId: id,
        ...run,
        status: 'queued',
        message: `${isImported(cluster) ? 'The import' : 'Provisioning'} of "${cluster.title}" started.`,
      })
    })
  }

  /** Starts the deletion; what is being provisioned is cancelled first. Asked twice, answers the run under way. */
  function remove(organizationId: number, id: number, who: Who) {
    return database.withTenant(organizationId, async (db) => {
      const { cluster, last } = await lock(db, organizationId, id)
      if (cluster.status === 'DELETED') throw absent()
      if (cluster.status === 'UPDATING' && last !== undefined && !isRunOver(last.status)) {
        return underWay(cluster, last, 'deleted')
      }
      // A deletion whose run is over has not deleted it, so it is refused to nobody who asks again.
      const hasFailed = cluster.status === 'UPDATING'
      const refusal = clusterCan.delete({ ...cluster, pending_operations: cluster.pendingOperations })
      if (refusal !== undefined && !hasFailed)
        throw new AppError('conflict', `The cluster "${cluster.title}" was left alone: ${refusal}`)
      // First, so that the end of the cancelled run finds a cluster that is no longer its own.
      const workflow = isImported(cluster) ? 'cluster.disconnect' : 'cluster.delete'
      const run = await start(db, cluster, workflow, 'UPDATING', who)
      // Other runs on it, such as the drain of a node, would make the deletion wait.
      for (const runId of await listOpenRuns(db, organizationId, id))
        if (runId !== run.runId) await workflows.cancelRun(db, runId, who)
      await events.listChanged(db, organizationId)
      await record(db, cluster, { action: workflow, class: 'delete' }, who, run.runId)
      const message = isImported(cluster)
        ? `Disconnecting "${cluster.title}" started; nothing is changed in the cluster itself.`
        : `Deletion of "${cluster.title}" started.`
      return keepReply(db, { clusterId: id, ...run, status: 'queued', message })
    })
  }

  return {
    create,
    provision,
    remove,
    change: createClusterChange({ database, events, record }),
    connect: connections.connect.bind(connections),

    async list(organizationId: number, filter: ClusterFilter) {
      const { page, limit } = filter
      const rows = await database.readOnce(organizationId, (db) => clusterPage(db, organizationId, filter))
      const isLast = rows.length <= limit && (rows.length > 0 || page === 1)
      const total = isLast
        ? totalOf((page - 1) * limit + rows.length)
        : await database.readOnce(organizationId, (db) => countClusters(db, organizationId, filter))
      return { clusters: rows.slice(0, limit).map(presentCluster), ...total, page, limit }
    },

    /** The list as CLUSTERS_UPDATE carries it: its first page, newest first. */
    async expand(organizationId: number) {
      const {
        clusters,
        total,
        totalIsExact = true,
      } = await this.list(organizationId, {
        page: 1,
        limit: 50,
        sort: 'createdAt',
      })
      // Said either way: the reader merges it into the page that is on screen.
      return { clusters, total, totalIsExact }
    },

    get(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) =>
        presentCluster(present(await findCluster(db, organizationId, id))),
      )
    },

    providers: () =>
      Promise.all(
        [...providers.values()].map(async (provider) => ({
          ...provider.describe(),
          capacity: (await provider.capacity?.()) ?? null,
        })),
      ),

    /** What else refers to a cluster. Streams that are open are counted by whoever holds them. */
    references(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) => {
        present(await findCluster(db, organizationId, id))
        return readReferences(db, organizationId, id)
      })
    },

    status(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) => {
        const row = present(await findCluster(db, organizationId, id))
        const run = row.lastRunId === null ? undefined : await workflows.progress(db, row.lastRunId)
        return {
          clusterId: id,
          status: row.status,
          pending_operations: row.pendingOperations,
          error: row.error,
          workflowId: row.lastWorkflowId,
          runId: row.lastRunId,
          runStatus: run?.status ?? null,
          currentStep: run?.currentStep ?? null,
          progress: run?.progressPercent ?? 0,
        }
      })
    },

    /** Records that a cluster's control plane had to be started again, and why. */
    async recordRestart(organizationId: number, id: number, reason: string): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        await updateCluster(db, id, { restartedAt: new Date(), restartReason: reason })
        await events.listChanged(db, organizationId)
      })
    },

    /** Notes whether a cluster's API answers; does nothing when that is known already. */
    async setReachability(
      organizationId: number,
      id: number,
      state: 'reachable' | 'unreachable',
      reason: string | null,
    ): Promise<void> {
      await database.withTenant(organizationId, async (db) => {
        const cluster = await lockCluster(db, organizationId, id)
        if (cluster === undefined || cluster.status !== 'RUNNING') return
        if (cluster.reachability === state && cluster.reachabilityReason === reason) return
        await updateCluster(db, id, {
          reachability: state,
          reachabilityReason: reason,
          ...(cluster.reachability === state ? {} : { reachabilitySince: new Date() }),
        })
        await events.listChanged(db, organizationId)
      })
    },
  }
}

export type Clusters = ReturnType<typeof createClusters>

async function lock(db: Db, organizationId: number, id: number) {
  const { cluster, newestRun } = await lockWithNewestRun(db, organizationId, id)
  return { cluster: present(cluster), last: newestRun }
}

function present<T>(row: T | undefined): T {
  if (row === undefined) throw absent()
  return row
}

function absent(): AppError {
  return new AppError('not_found', 'This cluster does not exist in this organization.')
}

/** One that exists without Bey: it is disconnected, never deleted. */
function isImported({ provider }: Pick<LockedCluster, 'provider'>): boolean {
  return provider === 'kubeconfig'
}

function underWay(cluster: LockedCluster, run: RunState, what: string) {
  return {
    clusterId: cluster.id,
    workflowId: run.workflowId,
    runId: run.id,
    status: run.status,
    message: `The cluster "${cluster.title}" is being ${what} already.`,
  }
}

function checked(input: NewCluster, info: ReturnType<ClusterProvider['describe']>) {
  const region = input.region ?? info.regions[0] ?? ''
  const version = input.version ?? info.versions[0] ?? ''
  const nodeGroups = input.nodeGroups ?? info.defaultNodeGroups
  const errors = []
  if (!info.regions.includes(region))
    errors.push({ path: 'region', message: `Choose one of ${info.regions.join(', ')}.` })
  if (!info.versions.includes(version))
    errors.push({ path: 'version', message: `Choose one of ${info.versions.join(', ')}.` })
  const names = nodeGroups.map((group) => group.name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice >= 0) errors.push({ path: `nodeGroups.${twice}.name`, message: 'Another group has this name.' })
  if (errors.length > 0)
    throw new AppError('invalid_request', 'The cluster cannot be created like this.', { errors })
  const nodeCount = nodeGroups.reduce((sum, group) => sum + group.count, 0)
  if (nodeCount > info.maxNodes) {
    throw new AppError(
      'limit_reached',
      `A ${info.label} cluster can have ${info.maxNodes} nodes; these groups have ${nodeCount}.`,
    )
  }
  return { title: input.title, provider: input.provider, region, version, nodeGroups }
}
