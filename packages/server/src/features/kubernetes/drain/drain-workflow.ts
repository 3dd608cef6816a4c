import { and, eq, isNull } from 'drizzle-orm'
import { act, serverItself } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { clusters } from '../../../tables/clusters.ts'
import type { RunMove, StepDefinition, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import type { Workflows } from '../../workflows/service.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import type { Connect } from '../connection/ports.ts'
import { clusterCallsAs } from '../connection/cluster-calls.ts'
import { identityOf } from './drain-identity.ts'
import { drainInputOf, drainWorkflowKey, removeWorkflowKey, uncordonWorkflowKey } from './drain-input.ts'
import type { DrainStep } from './drain-steps.ts'
import { awaitGone, cordonNode, evictAll, listPods, uncordonNode } from './drain-steps.ts'
import { deleteNode, type SetNodeCount } from './remove-node.ts'

type Options = {
  database: Pick<Database, 'readTenant'>
  connect: Connect
  agents: ClusterAgents
  startRun: Workflows['startRun']
  setNodeCount: SetNodeCount
  clock: Clock
  /** Between two attempts where a disruption budget or a pod makes it wait; 2 s unless given. */
  retryMs?: number
}

/**
 * The built-in workflows that drain a node, and that undo the cordon of a cancelled drain. They act in the name of
 * the person who started them, under the role that they have at each step.
 */
export function drainWorkflows(options: Options): WorkflowDefinition[] {
  const { database, connect, agents, startRun, setNodeCount, clock, retryMs = 2_000 } = options

  function step(key: string, name: string, work: DrainStep): StepDefinition {
    return {
      key,
      name,
      type: 'kubernetes.drain',
      // Cordoning and evicting the same pod twice changes nothing.
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const { clusterId } = drainInputOf(context.run)
        const identity = await identityOf(database, context.run)
        const connection = await connect(context.run.organizationId, clusterId).catch((error: unknown) => {
          throw new StepFailure(error instanceof Error ? error.message : String(error), { cause: error })
        })
        return work(clusterCallsAs(agents, connection, identity), context)
      },
    }
  }

  async function onDrainMove(db: Db, move: RunMove): Promise<void> {
    const { run, status } = move
    const input = drainInputOf(run)
    const undoes = status === 'cancelled' && input.uncordonOnCancel && !input.wasCordoned
    // Of a cluster that is being deleted there is nothing to undo.
    if (undoes && (await isRunning(db, input.clusterId))) {
      // A run of its own: a cancelled one executes nothing more, and this must survive a crash as well.
      await startRun(db, {
        organizationId: run.organizationId,
        workflowKey: uncordonWorkflowKey,
        subject: run.subject,
        input,
        trigger: 'system',
        createdBy: run.createdBy,
      })
    }
    if (status === 'completed' || status === 'failed' || status === 'cancelled') await recordEnd(db, move)
  }

  const drain = [
    step('cordon', 'Cordon', cordonNode),
    step('list_pods', 'List pods', listPods(clock)),
    step('evict', 'Evict pods', evictAll(clock, retryMs)),
    step('await_gone', 'Wait until they have ended', awaitGone(clock, retryMs)),
  ]

  return [
    {
      key: drainWorkflowKey,
      name: 'Drain node',
      description:
        'Cordons a node, evicts its pods as their disruption budgets allow, and waits until they have ended.',
      type: 'maintenance',
      cancelPermission: 'kubernetes.write',
      steps: drain,
      onMove: onDrainMove,
    },
    {
      key: removeWorkflowKey,
      name: 'Remove node',
      description: 'Drains a node, deletes it, and makes its group smaller by one.',
      type: 'maintenance',
      cancelPermission: 'kubernetes.write',
      steps: [...drain, step('delete_node', 'Delete the node', deleteNode(setNodeCount))],
      onMove: onDrainMove,
    },
    {
      key: uncordonWorkflowKey,
      name: 'Uncordon node',
      description: 'Makes the node of a cancelled drain take pods again.',
      type: 'maintenance',
      cancelPermission: 'kubernetes.write',
      steps: [step('uncordon', 'Uncordon', uncordonNode)],
    },
  ]
}

async function isRunning(db: Db, clusterId: number): Promise<boolean> {
  const running = and(eq(clusters.id, clusterId), eq(clusters.status, 'RUNNING'), isNull(clusters.deletedAt))
  return (await db.$count(clusters, running)) > 0
}

async function recordEnd(db: Db, { run, status, error, stepName }: RunMove): Promise<void> {
  const { clusterId, node } = drainInputOf(run)
  const server = { ...serverItself(run.organizationId), via: 'workflow' } as const
  await act(db, server, {
    action: `${run.workflowKey}.${status}`,
    class: 'execute',
    target: { type: 'cluster', id: clusterId, name: node },
    outcome: status === 'completed' ? 'success' : 'failure',
    runId: run.id,
    diff: { node, ...(error === null ? {} : { error, step: stepName }) },
  })
}
