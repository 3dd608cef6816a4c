import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { reasonOf } from '../connection/cluster-calls.ts'
import { drainInputOf, nodePath } from './drain-input.ts'
import type { DrainStep } from './drain-steps.ts'

/** The label of a node that names the group that Bey counts it in. */
export const groupLabel = 'sandbox.bey/node-group'

/** Notes how many nodes a group of a cluster has. */
export type SetNodeCount = (
  organizationId: number,
  clusterId: number,
  group: string,
  count: number,
) => Promise<void>

type Node = { metadata?: { name?: string; uid?: string; labels?: Record<string, string> } }

/**
 * Deletes a drained node, and notes the nodes that its group still has: counted, not subtracted, so that a step that is
 * repeated after a crash notes the same.
 */
export function deleteNode(setNodeCount: SetNodeCount): DrainStep {
  return async (call, context) => {
    const { run, signal } = context
    const { clusterId, node, nodeUid, group } = drainInputOf(run)
    const answer = await call('DELETE', nodePath(node), {
      body: { preconditions: { uid: nodeUid } },
      signal,
    })
    if (answer.status !== 200 && answer.status !== 202 && answer.status !== 404)
      throw new StepFailure(`The node "${node}" could not be deleted: ${reasonOf(answer)}`)
    context.log(answer.status === 404 ? `${node} is gone already.` : `Deleted ${node}.`)
    if (group === undefined) return undefined
    const left = await call(
      'GET',
      `/api/v1/nodes?labelSelector=${encodeURIComponent(`${groupLabel}=${group}`)}`,
      {
        signal,
      },
    )
    if (left.status !== 200) throw new StepFailure(`The nodes could not be counted: ${reasonOf(left)}`)
    // The path says that these are nodes.
    const nodes = (left.body.items ?? []) as Node[]
    const count = nodes.filter(({ metadata }) => metadata?.uid !== nodeUid).length
    await setNodeCount(run.organizationId, clusterId, group, count)
    context.log(`The group ${group} has ${count} nodes now.`)
    return { count }
  }
}
