import { stamp } from '../clock.ts'
import { textAt } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Resources } from '../api/resources.ts'
import { badRequest, conflict } from '../status-error.ts'
import { nodes, pods, type Pod } from '../types.ts'

/** Gives a pod its node, once. */
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
    { subresource: 'all' },
  )
}

export async function handleBinding(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name, request, response } = call
  const body = parseObject(await readBody(request), mediaType(request))
  const target = textAt(body, 'target', 'name')
  if (!target) throw badRequest('Binding "" is invalid: target.name: Required value')
  cluster.resources.get(cluster.registry.stored(nodes.key), undefined, target)
  cluster.resources.get(kind, namespace, name)
  const pod = cluster.store.get(pods, namespace, name)
  if (!pod || pod.spec.nodeName) {
    throw conflict(
      kind,
      name,
      `pod ${name} is already assigned to node ${JSON.stringify(pod?.spec.nodeName)}`,
    )
  }
  bindPod(cluster.resources, pod, target)
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
