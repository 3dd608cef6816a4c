import type { DrainChoices } from '@bey/contract'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { act, type Member } from '../../../platform/act.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { Workflows } from '../../workflows/service.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterSummaries, ClusterSummary, Connect } from '../connection/ports.ts'
import { ownIdentity } from '../proxy/impersonation.ts'
import type { ClusterAnswer, ClusterCalls } from '../connection/cluster-calls.ts'
import { clusterCallsAs, reasonOf } from '../connection/cluster-calls.ts'
import { type DrainInput, drainWorkflowKey, nodePath, removeWorkflowKey } from './drain-input.ts'
import { groupLabel } from './remove-node.ts'

type Options = {
  database: Database
  clusters: ClusterSummaries
  connect: Connect
  agents: ClusterAgents
  startRun: Workflows['startRun']
}

/** What a drain does to the cluster, each of which its RBAC must allow. */
const needs = [
  { verb: 'patch', resource: 'nodes', words: 'cordon nodes' },
  { verb: 'list', resource: 'pods', words: 'list the pods of all namespaces' },
  { verb: 'create', resource: 'pods', subresource: 'eviction', words: 'evict pods' },
]

const removalNeeds = [...needs, { verb: 'delete', resource: 'nodes', words: 'delete nodes' }]
const removalChoices: DrainChoices = {
  force: false,
  deleteEmptyDirData: false,
  uncordonOnCancel: true,
  timeoutSeconds: 600,
}
const controlPlaneLabel = 'node-role.kubernetes.io/control-plane'

export type DrainService = ReturnType<typeof createDrainService>

export function createDrainService({ database, clusters, connect, agents, startRun }: Options) {
  return {
    /**
     * Starts the drain of a node; asked while one is under way, answers that run. The cluster is asked first whether
     * it allows the caller every part, so that no drain stops half-way for want of a right. Throws AppError
     * `not_found`, `conflict`, `cluster_unreachable`, and `forbidden` with what the cluster does not allow.
     */
    async start(caller: Member, clusterId: number, node: string, choices: DrainChoices) {
      const { organizationId } = caller
      requirePermissions(caller)
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const connection = await connect(organizationId, clusterId)
      const call = clusterCallsAs(
        agents,
        connection,
        ownIdentity({ email: caller.user.email, role: caller.role }),
      )
      const { labels: _none, ...found } = await readNode(call, cluster, node)
      await requireRights(call, cluster, needs)
      return database.withTenant(organizationId, async (db) => {
        // In turns, so that two requests at once start one drain.
        await lockUntilCommit(db, 'drainStart', clusterId)
        const current = await findDrain(db, organizationId, clusterId, node)
        if (current !== undefined) {
          const message = `The node "${node}" is being drained already.`
          return keepReply(db, { ...current, message })
        }
        const input: DrainInput = { ...choices, ...found, clusterId, node }
        const run = await startRun(db, {
          organizationId,
          workflowKey: drainWorkflowKey,
          subject: { type: 'cluster', id: String(clusterId) },
          input,
          trigger: 'manual',
          createdBy: caller.user.id,
        })
        await act(db, caller, {
          action: drainWorkflowKey,
          class: 'execute',
          target: { type: 'cluster', id: clusterId, name: cluster.title },
          // Nothing has been done to the cluster yet: the end of the run says what came of it.
          outcome: 'unknown',
          runId: run.runId,
          diff: { node, ...choices },
        })
        return keepReply(db, { ...run, status: 'queued', message: `The drain of "${node}" started.` })
      })
    },

    /**
     * Asks the cluster whether the caller may remove a node, and answers what starts that in a transaction. Throws
     * AppError as `start` does, and `conflict` for a node whose machine Bey does not manage.
     */
    async prepareRemoval(caller: Member, clusterId: number, node: string) {
      const { organizationId } = caller
      requirePermissions(caller)
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const connection = await connect(organizationId, clusterId)
      const identity = ownIdentity({ email: caller.user.email, role: caller.role })
      const call = clusterCallsAs(agents, connection, identity)
      const { labels, ...found } = await readNode(call, cluster, node)
      const group = labels[groupLabel]
      if (controlPlaneLabel in labels || group === undefined)
        throw new AppError(
          'conflict',
          `"${node}" is not in a group of nodes that Bey manages. Drain it, and remove its machine where it was made.`,
        )
      await requireRights(call, cluster, removalNeeds)
      const start = async (db: Db) => {
        await lockUntilCommit(db, 'drainStart', clusterId)
        const current = await findDrain(db, organizationId, clusterId, node)
        if (current !== undefined)
          throw new AppError(
            'conflict',
            `The node "${node}" is being drained. Wait until that run has ended.`,
          )
        const input: DrainInput = { ...removalChoices, ...found, clusterId, node, group }
        return startRun(db, {
          organizationId,
          workflowKey: removeWorkflowKey,
          subject: { type: 'cluster', id: String(clusterId) },
          input,
          trigger: 'manual',
          createdBy: caller.user.id,
        })
      }
      return { group, title: cluster.title, start }
    },
  }
}

/** A drain cordons the node and deletes its pods. Throws AppError `forbidden`. */
function requirePermissions({ role }: Member): void {
  for (const permission of ['kubernetes.write', 'kubernetes.delete'] as const) {
    const reason = whyNotNow(role, permission)
    if (reason !== undefined) throw new AppError('forbidden', reason)
  }
}

async function readNode(
  call: ClusterCalls,
  cluster: ClusterSummary,
  node: string,
): Promise<Pick<DrainInput, 'nodeUid' | 'wasCordoned'> & { labels: Readonly<Record<string, string>> }> {
  const answer = await answered(call('GET', nodePath(node)), cluster)
  if (answer.status === 404)
    throw new AppError('not_found', `There is no node "${node}" in the cluster "${cluster.title}".`)
  if (answer.status !== 200) throw refused(cluster, 'read nodes', reasonOf(answer))
  const { metadata, spec } = answer.body
  return {
    nodeUid: metadata?.uid ?? '',
    wasCordoned: spec?.unschedulable === true,
    labels: metadata?.labels ?? {},
  }
}

async function requireRights(
  call: ClusterCalls,
  cluster: ClusterSummary,
  wanted: readonly { verb: string; resource: string; subresource?: string; words: string }[],
): Promise<void> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  for (const { words, ...resourceAttributes } of wanted) {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    }
    const answer = await answered(call('POST', path, { body }), cluster)
    const { status } = answer.body
    const isAllowed = typeof status === 'object' && status.allowed === true
    if (!isAllowed) {
      throw refused(cluster, words, typeof status === 'object' ? status.reason : undefined)
    }
  }
}

function refused(cluster: ClusterSummary, what: string, reason: string | undefined): AppError {
  const why = reason ? ` (${reason})` : ''
  return new AppError(
    'forbidden',
    `The roles of the cluster "${cluster.title}" do not let you ${what}${why}, which a drain needs. Whoever manages them can allow it.`,
  )
}

async function answered(call: Promise<ClusterAnswer>, cluster: ClusterSummary): Promise<ClusterAnswer> {
  try {
    return await call
  } catch (error) {
    throw new AppError(
      'cluster_unreachable',
      `The cluster "${cluster.title}" does not answer: ${whyUnreachable(error)}.`,
      { cause: error },
    )
  }
}

async function findDrain(db: Db, organizationId: number, clusterId: number, node: string) {
  const [row] = await db
    .select({ workflowId: workflowRuns.workflowId, runId: workflowRuns.id, status: workflowRuns.status })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'cluster'),
        eq(workflowRuns.subjectId, String(clusterId)),
        isNull(workflowRuns.finishedAt),
        inArray(workflows.builtIn, [drainWorkflowKey, removeWorkflowKey]),
        sql`${workflowRuns.input}->>'node' = ${node}`,
      ),
    )
  return row
}
