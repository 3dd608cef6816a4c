import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import { KubernetesError } from '../../../lib/kubernetes-error.ts'
import type { ActionTarget } from './action.ts'
import type { Revision } from './revisions.ts'
import { rollbackRequest } from './revisions.ts'
import { readTarget } from './run-action.ts'

const maxAttempts = 4

/**
 * Puts a revision in place. Where the workload changed since it was read, but its pods are still to be what they were
 * (somebody scaled it, a page was slow to hear of an edit), it is asked for again by itself. Throws KubernetesError.
 */
export async function rollBack(target: ActionTarget, revision: Revision): Promise<void> {
  let current = target
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sendToCluster(current.clusterId, rollbackRequest(current, revision))
      return
    } catch (error) {
      if (!isStale(error)) throw error
      const latest = await readTarget({ ...current, resource: current.resource.resource })
      if (attempt === maxAttempts || templateOf(latest) !== templateOf(target)) {
        throw new Error(
          'Its pods were changed in the meantime, so nothing was rolled back. Open this again to see what changed.',
          { cause: error },
        )
      }
      current = latest
    }
  }
}

/** Whether the test of the generation in the patch failed. */
function isStale(error: unknown): boolean {
  return error instanceof KubernetesError && error.failure.code === 422 && /test/i.test(error.failure.message)
}

const templateOf = ({ object }: ActionTarget) => JSON.stringify(object.spec?.template)
