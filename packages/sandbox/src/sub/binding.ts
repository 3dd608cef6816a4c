import { stamp } from '../clock.ts'
import { textAt, type JsonObject } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { admitBelow } from '../api/admitted.ts'
import type { ApiRequest } from '../api/request.ts'
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

export async function handleBinding(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name, request, response } = call
  const body = parseObject(await readBody(request), mediaType(request))
  const target = textAt(body, 'target', 'name')
  if (!target) throw badRequest('Binding "" is invalid: target.name: Required value')
  cluster.resources.get(cluster.registry.stored(nodes.key), undefined, target)
  cluster.resources.get(kind, namespace, name)
  await admitBelow(call, { ...body, ...bindingOf(target) })
  const pod = cluster.store.get(pods, namespace, name)
  if (!pod || pod.spec.nodeName) {
    throw conflict(
      kind,
      name,
      `pod ${name} is already assigned to node ${JSON.stringify(pod?.spec.nodeName)}`,
    )
  }
  bindPod(cluster.resources, pod, target)
  cluster.store.flush()
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
