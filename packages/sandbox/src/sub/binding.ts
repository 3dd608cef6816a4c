import { stamp } from '../clock.ts'
import { textAt, type JsonObject } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { admitBelow } from '../api/admitted.ts'
import { isDryRun, type ApiRequest } from '../api/request.ts'
import type { Resources } from '../api/resources.ts'
import { asObject } from '../api/write-options.ts'
import { badRequest, conflict } from '../status-error.ts'
import { nodes, pods, type Pod } from '../types.ts'

function bindingOf(nodeName: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Binding', target: { apiVersion: 'v1', kind: 'Node', name: nodeName } }
}

/** Throws StatusError when a policy has something against this node for this pod. */
export function admitBinding(resources: Resources, { metadata }: Pod, nodeName: string): void {
  const kind = resources.registry.stored(pods.key)
  const by = { user: 'system:kube-scheduler', groups: ['system:authenticated'], subresource: 'binding' }
  resources.review('create', kind, asObject({ ...bindingOf(nodeName), metadata }), undefined, by)
}

/** Gives a pod its node, once; whether it may has been asked before. */
export function bindPod(resources: Resources, pod: Pod, nodeName: string): void {
  resources.change(
    pods,
    pod,
    (draft) => {
      draft.spec.nodeName = nodeName
      const lastTransitionTime = stamp(resources.clock.now())
      const others = (draft.status?.conditions ?? []).filter((one) => one.type !== 'PodScheduled')
      const conditions = [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime }]
      draft.status = { ...draft.status, conditions }
    },
    // A binding is no write of the pod, and leaves no trace in managedFields.
    { subresource: 'all', manager: undefined, isAdmitted: true },
  )
}

/** Binds the pod that the path names. */
export async function handleBinding(call: ApiRequest): Promise<void> {
  return bind(call, parseObject(await readBody(call.request), mediaType(call.request), 'Binding'))
}

/** Binds the pod that a Binding sent to `/bindings` names. */
export async function handleBindings(call: ApiRequest): Promise<void> {
  const body = parseObject(await readBody(call.request), mediaType(call.request), 'Binding')
  const name = textAt(body, 'metadata', 'name')
  if (!name) throw badRequest('name is required')
  const kind = call.cluster.registry.stored(pods.key)
  return bind({ ...call, kind, name, subresource: 'binding' }, body)
}

async function bind(call: ApiRequest, body: JsonObject): Promise<void> {
  const { cluster, kind, namespace, name, response } = call
  const target = textAt(body, 'target', 'name')
  if (!target) throw badRequest('Binding "" is invalid: target.name: Required value')
  cluster.resources.get(cluster.registry.stored(nodes.key), undefined, target)
  cluster.resources.get(kind, namespace, name)
  await admitBelow(call, { ...body, ...bindingOf(target) })
  const pod = cluster.store.get(pods, namespace, name)
  const refused = (why: string) => conflict(kind, name, `pod ${name} ${why}`)
  if (!pod || pod.metadata.deletionTimestamp) throw refused('is being deleted, cannot be assigned to a host')
  if (pod.spec.nodeName) throw refused(`is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`)
  if (pod.spec.schedulingGates?.length) throw refused('has non-empty .spec.schedulingGates')
  if (isDryRun(call.query)) return sendBound(response)
  bindPod(cluster.resources, pod, target)
  cluster.store.flush()
  sendBound(response)
}

function sendBound(response: ApiRequest['response']): void {
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
