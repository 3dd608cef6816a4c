import type { Cluster } from '../api/context.ts'
import { labelSelector } from '../selectors.ts'
import {
  budgets,
  deployments,
  pods,
  replicaSets,
  statefulSets,
  type Pod,
  type PodDisruptionBudget,
} from '../types.ts'
import { withCondition } from './conditions.ts'
import { runController, type Controller } from './controller.ts'
import { resolveShare } from './deployment-math.ts'
import { controllerOf } from './owner.ts'
import { isActive, isReady } from './pod-state.ts'

/** How many pods the owners of these want in all, which percentages are of. */
function expected({ store }: Cluster, list: readonly Pod[]): number {
  const owners = new Map<string, number>()
  let loose = 0
  for (const pod of list) {
    const owner = controllerOf(pod)
    if (!owner) {
      loose += 1
      continue
    }
    const { namespace } = pod.metadata
    const set = store.get(replicaSets, namespace, owner.name)
    const above = set && controllerOf(set)
    const top = above
      ? store.get(deployments, namespace, above.name)
      : (set ?? store.get(statefulSets, namespace, owner.name))
    owners.set(top?.metadata.uid ?? owner.uid, top?.spec.replicas ?? 1)
  }
  return [...owners.values()].reduce((sum, count) => sum + count, loose)
}

function sync(cluster: Cluster, budget: PodDisruptionBudget): void {
  const test = labelSelector(budget.spec.selector)
  const list = cluster.store
    .list(pods, budget.metadata.namespace)
    .filter((pod) => isActive(pod) && test(pod.metadata.labels))
  const total = expected(cluster, list)
  const healthy = list.filter(isReady).length
  const { minAvailable, maxUnavailable } = budget.spec
  const wanted =
    maxUnavailable !== undefined
      ? Math.max(0, total - resolveShare(maxUnavailable, total, true))
      : resolveShare(minAvailable ?? 0, total, true)
  const allowed = Math.max(0, healthy - wanted)
  cluster.resources.changeStatus(budgets, budget, (draft) => {
    const condition =
      allowed > 0
        ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '' }
        : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' }
    const conditions = withCondition(
      draft.status?.conditions,
      { lastTransitionTime: '', ...condition },
      cluster.clock.now(),
    )
    draft.status = {
      currentHealthy: healthy,
      desiredHealthy: wanted,
      disruptionsAllowed: allowed,
      expectedPods: total,
      observedGeneration: budget.metadata.generation ?? 1,
      conditions,
    }
  })
}

export function runBudgets(cluster: Cluster): Controller {
  return runController(cluster, {
    kind: budgets,
    watches: [
      {
        kind: pods,
        keys: ({ object }) =>
          cluster.store
            .list(budgets, object.metadata.namespace)
            .filter((budget) => labelSelector(budget.spec.selector)(object.metadata.labels))
            .map((budget) => `${budget.metadata.namespace}/${budget.metadata.name}`),
      },
    ],
    sync: (budget) => sync(cluster, budget),
  })
}
