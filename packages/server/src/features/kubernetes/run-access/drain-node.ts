import type { Clock } from '../../../platform/clock.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import type { NodeDrain } from '../../workflows/steps/ports.ts'
import type { ClusterCalls } from '../connection/cluster-calls.ts'
import { type DrainInput, nodePath } from '../drain/drain-input.ts'
import { awaitGone, cordonNode, evictAll, listPods } from '../drain/drain-steps.ts'

const retryMs = 2_000

/** Drains a node in one step of a workflow, as the built-in workflow does in four. */
export async function drainNode(
  call: ClusterCalls,
  clock: Clock,
  context: StepContext,
  drain: NodeDrain,
): Promise<{ evicted: number }> {
  const { node, clusterId, timeoutSeconds, force, deleteEmptyDirData } = drain
  const { body, status } = await call('GET', nodePath(node), { signal: context.signal })
  const nodeUid = body.metadata?.uid
  if (status !== 200 || nodeUid === undefined) throw new StepFailure(`There is no node "${node}".`)
  const input: DrainInput = {
    clusterId,
    node,
    nodeUid,
    timeoutSeconds,
    force,
    deleteEmptyDirData,
    uncordonOnCancel: false,
    wasCordoned: false,
  }
  const own: StepContext = { ...context, run: { ...context.run, input } }
  await cordonNode(call, own)
  const plan = await listPods(clock)(call, own)
  const planned: StepContext = { ...own, outputs: { list_pods: plan ?? {} } }
  const evicted = await evictAll(clock, retryMs)(call, planned)
  await awaitGone(clock, retryMs)(call, planned)
  return { evicted: Number(evicted?.['evicted'] ?? 0) }
}
