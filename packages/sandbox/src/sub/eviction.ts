import { admitBelow } from '../api/admitted.ts'
import { deleteOptions, type ApiRequest } from '../api/request.ts'
import { deleteObject } from '../api/deletion.ts'
import { isObject } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { labelSelector } from '../selectors.ts'
import { StatusError } from '../status-error.ts'
import { budgets, pods, type Pod, type PodDisruptionBudget } from '../types.ts'

function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false
}

function tooMany(budget: PodDisruptionBudget): StatusError {
  const { name } = budget.metadata
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {}
  const message = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  const causes = [{ reason: 'DisruptionBudget', message }]
  const text = "Cannot evict pod as it would violate the pod's disruption budget."
  return new StatusError(429, 'TooManyRequests', text, { causes })
}

/** Deletes a pod unless a disruption budget has none to spare. */
export async function handleEviction(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name, request, response, query } = call
  const { resources, store } = cluster
  const body = parseObject(await readBody(request), mediaType(request), 'Eviction')
  resources.get(kind, namespace, name)
  await admitBelow(call, { apiVersion: 'policy/v1', kind: 'Eviction', ...body })
  const pod = store.get(pods, namespace, name)
  const options = deleteOptions(query, isObject(body['deleteOptions']) ? body['deleteOptions'] : {})
  if (pod && !pod.metadata.deletionTimestamp && isReady(pod)) {
    const guards = store
      .list(budgets, namespace)
      .filter((one) => labelSelector(one.spec.selector)(pod.metadata.labels))
    const spent = guards.find((one) => (one.status?.disruptionsAllowed ?? 0) <= 0)
    if (spent) throw tooMany(spent)
    for (const guard of options.dryRun ? [] : guards) {
      resources.changeStatus(budgets, guard, (draft) => {
        if (draft.status) draft.status.disruptionsAllowed = (draft.status.disruptionsAllowed ?? 1) - 1
      })
    }
  }
  deleteObject(resources, kind, namespace, name, options)
  cluster.store.flush()
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
