import { clone, isObject, numberAt, objectAt, textAt, put, type JsonObject } from '../json.ts'
import { mediaType, parseObject, parseText, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { badRequest, conflict, field, invalid, methodNotAllowed, staleText } from '../status-error.ts'
import type { KubeObject, LabelSelector } from '../types.ts'
import { pods } from '../types.ts'
import { selectorText } from '../selectors.ts'
import { at } from '../json.ts'
import { sendObject } from '../api/list.ts'
import type { ApiRequest } from '../api/request.ts'
import { changeObject, handlePatch, noSubresource, readOwnBody } from '../api/write.ts'
import { decode } from '../schema/decode.ts'
import { decodeBody } from '../api/coder.ts'
import { handleBinding } from './binding.ts'
import { handleEviction } from './eviction.ts'
import { handleLog } from './log.ts'
import { handleToken } from './token.ts'

function scaleOf({ kind }: ApiRequest, object: KubeObject): JsonObject {
  const paths = kind.scale
  if (!paths) return {}
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const own = at(object, 'spec', 'selector')
  const custom = paths.selector ? textAt(object, ...paths.selector) : undefined
  // A ReplicationController selects by a plain map of labels.
  const isPlain = isObject(own) && !('matchLabels' in own) && !('matchExpressions' in own)
  const selector = isPlain ? { matchLabels: own } : own
  // Decoded by the kind's model, so this is a label selector.
  const text = custom ?? (isObject(own) ? selectorText(selector as LabelSelector) : '')
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace ? { namespace } : {}), uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, ...paths.spec) ?? 0 },
    status: { replicas: numberAt(object, ...paths.status) ?? 0, ...(text ? { selector: text } : {}) },
  }
}

async function handleScale(call: ApiRequest, verb: string): Promise<void> {
  const { cluster, kind, namespace, name, request, response } = call
  if (!kind.scale) throw noSubresource(call)
  const current = cluster.resources.get(kind, namespace, name)
  const scale = scaleOf(call, current)
  if (verb === 'get') return sendJson(response, 200, scale)
  const bytes = await readBody(request)
  const type = mediaType(request)
  let next: JsonObject
  if (verb === 'update') next = parseObject(bytes, type)
  else if (type === 'application/json-patch+json') next = applyJsonPatch(scale, parseText(bytes, false))
  else {
    const patch = parseText(bytes, type === 'application/apply-patch+yaml')
    if (!isObject(patch)) throw badRequest('the patch is not an object')
    next = applyMergePatch(scale, patch)
  }
  const { value } = decode('V1Scale', next)
  const replicas = numberAt(value, 'spec', 'replicas') ?? 0
  if (replicas < 0) {
    const scaleKind = { group: 'autoscaling', resource: 'scales', kind: 'Scale' }
    throw invalid(scaleKind, name, [
      field.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ])
  }
  const version = textAt(value, 'metadata', 'resourceVersion')
  if (version && version !== current.metadata.resourceVersion) throw conflict(kind, name, staleText)
  const paths = kind.scale
  const result = changeObject({ ...call, subresource: 'scale' }, (object) => {
    const copy = clone(object)
    put(copy, paths.spec, replicas)
    return copy
  })
  sendJson(response, 200, scaleOf(call, result))
}

async function handleStatus(call: ApiRequest, verb: string): Promise<void> {
  const { cluster, kind, namespace, name } = call
  if (verb === 'get') return sendObject(call, cluster.resources.get(kind, namespace, name))
  if (verb === 'patch') return handlePatch(call)
  if (verb !== 'update') throw methodNotAllowed()
  const body = await readOwnBody(call)
  sendObject(
    call,
    changeObject(call, () => body),
  )
}

async function handleFinalize(call: ApiRequest): Promise<void> {
  const { cluster, kind, name } = call
  const raw = parseObject(await readBody(call.request), mediaType(call.request))
  const body = decodeBody(kind, raw, 'Ignore', () => undefined)
  const finalizers = objectAt(body, 'spec')?.['finalizers']
  const current = cluster.resources.get(kind, undefined, name)
  const changed = clone(current)
  put(
    changed,
    ['spec', 'finalizers'],
    Array.isArray(finalizers) && finalizers.length > 0 ? finalizers : undefined,
  )
  const isDone = !Array.isArray(finalizers) || finalizers.length === 0
  const result =
    isDone && current.metadata.deletionTimestamp && !current.metadata.finalizers?.length
      ? (cluster.store.remove(kind.key, undefined, name) ?? changed)
      : cluster.store.write(kind.key, changed)
  sendObject(call, result)
}

/** Serves what lies below an object: `/status`, `/scale`, `/log` and so on. */
export async function handleSubresource(call: ApiRequest, verb: string): Promise<void> {
  const { kind, subresource = '' } = call
  if (call.name === '') throw noSubresource(call)
  if (subresource === 'status' && kind.hasStatus) return handleStatus(call, verb)
  if (subresource === 'scale') return handleScale(call, verb)
  const known = kind.subresources?.find((one) => one.name === subresource)
  if (!known) throw noSubresource(call)
  if (!known.verbs.includes(verb)) throw methodNotAllowed()
  if (kind.key === pods.key && subresource === 'log') return handleLog(call)
  if (subresource === 'eviction') return handleEviction(call)
  if (subresource === 'binding') return handleBinding(call)
  if (subresource === 'token') return handleToken(call)
  if (subresource === 'finalize') return handleFinalize(call)
  if (subresource === 'ephemeralcontainers' || subresource === 'resize' || subresource === 'approval') {
    if (verb === 'get') return sendObject(call, call.cluster.resources.get(kind, call.namespace, call.name))
    // These may change what a plain update may not.
    const free = { ...call, subresource: subresource === 'approval' ? 'status' : 'ephemeralcontainers' }
    if (verb === 'patch') return handlePatch(free)
    const body = await readOwnBody(free)
    return sendObject(
      free,
      changeObject(free, () => body),
    )
  }
  // exec, attach and port-forward arrive as upgrades, which have a door of their own.
  throw badRequest('Upgrade request required')
}
