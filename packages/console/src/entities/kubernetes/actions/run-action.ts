import { api } from '../../../lib/api.ts'
import { isGone } from '../../../lib/kubernetes-error.ts'
import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import type { ActionInput, ActionTarget, ActionValues, RequestAction } from './action.ts'
import { asActionObject } from './action-object.ts'
import type { ActionObject } from './action-object.ts'
import type { Propagation } from './any-object-actions.ts'
import { deleteRequest } from './any-object-actions.ts'

/** Where an object is, before it is read. */
export interface ActionAddress {
  clusterId: number
  clusterTitle: string
  /** As kubectl names it. */
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

/** The object at an address as it is now. Throws ApiError. */
export async function readTarget(address: ActionAddress): Promise<ActionTarget> {
  const { clusterId: id, resource, namespace, name } = address
  const params = { id, resource, namespace: namespace || '-', name }
  const detail = await api.call('kubernetes.object', { params })
  return { ...address, resource: detail.resource, object: asActionObject(detail.object) }
}

/** What an action has to look up first; undefined where there is nothing, or where it may not be read. */
export async function lookUp(action: RequestAction, target: ActionTarget): Promise<ActionObject | undefined> {
  const request = action.lookUp?.(target)
  if (!request) return undefined
  try {
    return asActionObject(await sendToCluster(target.clusterId, request))
  } catch {
    // It only warns: the act itself says what is not allowed.
    return undefined
  }
}

/** Sends what an action needs, one request after the other. Throws KubernetesError with the cluster's reason. */
export async function runAction(
  action: RequestAction,
  input: ActionInput,
  values: ActionValues,
): Promise<void> {
  for (const request of action.requests(input, values)) await sendToCluster(input.target.clusterId, request)
}

/** Deletes an object; `gone` where somebody else had done it already. */
export async function deleteObject(
  target: ActionTarget,
  propagation: Propagation,
): Promise<'deleted' | 'gone'> {
  try {
    await sendToCluster(target.clusterId, deleteRequest(target, propagation))
    return 'deleted'
  } catch (error) {
    if (isGone(error)) return 'gone'
    throw error
  }
}

/** How an act on one of several rows ended, or that it is under way. */
export type Outcome =
  | { state: 'pending'; text: string }
  /** `kubectl`: the line that would have done the same. */
  | { state: 'done'; text: string; kubectl?: string }
  | { state: 'out'; text: string }
  | { state: 'failed'; text: string }
