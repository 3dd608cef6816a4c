import type { Subscription } from '@bey/contract'
import type { Operations } from './operations.ts'
import { AppError } from './platform/errors.ts'

/** Whether the organization has what somebody wants to follow. */
export function followRule({ clusters, workflows }: Pick<Operations, 'clusters' | 'workflows'>) {
  return async (organizationId: number, subscription: Subscription): Promise<boolean> => {
    switch (subscription.kind) {
      case 'cluster':
      case 'cluster_metrics':
      case 'cluster_resources':
        return clusters.exists(organizationId, subscription.clusterId)
      case 'workflow':
        return isFound(workflows.get(organizationId, subscription.workflowId))
      case 'organization':
      case 'workflows':
      case 'engine_status':
        return true
    }
  }
}

async function isFound(found: Promise<unknown>): Promise<boolean> {
  try {
    await found
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false
    throw error
  }
}
