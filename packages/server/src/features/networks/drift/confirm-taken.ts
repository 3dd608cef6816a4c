import { type PolicyKind, policyKinds } from '@bey/contract/networks/rules'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import { openLive } from '../open-live.ts'
import type { NetworkParts } from '../parts.ts'
import { readDrift } from './live-drift.ts'

/**
 * Reads the policy that a run took over once more before anything is written: an edit made since then would otherwise be
 * lost without anybody having seen it.
 */
export async function confirmTaken(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  { run, log }: Pick<StepContext, 'run' | 'log'>,
  networkId: string,
): Promise<void> {
  const taken = takenBy(run.input['taken'])
  const place = `${taken.namespace}/${taken.name}`
  try {
    const cluster = await openLive(parts, run.organizationId, taken.clusterId)
    const { found } = await readDrift(cluster, { ...taken, written: {} }, networkId)
    if (found === taken.found) return log(`${place} is as it was taken over.`)
  } catch (error) {
    if (!(error instanceof ClusterFailure)) throw error
    throw new StepFailure(error.message)
  }
  throw new StepFailure(
    `The policy ${place} was changed once more after it was taken over. Nothing was written. Compare it again.`,
  )
}

type Taken = { kind: PolicyKind; clusterId: number; namespace: string; name: string; found: string }

function takenBy(input: unknown): Taken {
  if (typeof input !== 'object' || input === null)
    throw new Error('The run names no policy that it took over')
  const { kind, clusterId, namespace, name, found } = input as Record<string, unknown>
  return {
    // Runs that an earlier version started name no kind.
    kind: policyKinds.find((each) => each === kind) ?? 'NetworkPolicy',
    clusterId: Number(clusterId),
    namespace: String(namespace),
    name: String(name),
    found: String(found),
  }
}
