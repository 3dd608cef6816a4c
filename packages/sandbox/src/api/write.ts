import { mediaType, parseObject, parseText, readBody, unsupportedMediaType } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { clone, isObject, textAt, type JsonObject } from '../json.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts'
import { unfitPatch } from '../patch/unfit-patch.ts'
import { badRequest, StatusError } from '../status-error.ts'
import type { KubeObject } from '../types.ts'
import { handleApply } from './apply.ts'
import { admitDeletion, createAdmitted, updateAdmitted } from './admitted.ts'
import { asObject, writeOptions } from './write-options.ts'
import { decodeBody, encode } from './coder.ts'
import { deleteObject, type Deletion } from './deletion.ts'
import { sendObject, selectorOf } from './list.ts'
import { trackUpdate } from '../patch/managed-fields.ts'
import { deleteOptions, fieldManager, fieldValidation, warnClient, type ApiRequest } from './request.ts'

export async function readOwnBody(call: ApiRequest): Promise<JsonObject> {
  const body = parseObject(await readBody(call.request), mediaType(call.request), call.kind.kind)
  return decodeBody(call.kind, body, fieldValidation(call.query), warnClient(call))
}

export async function handleCreate(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace } = call
  const options = writeOptions(call)
  const body = await readOwnBody(call)
  if (kind.namespaced && namespace === undefined) {
    throw badRequest('an empty namespace may not be set during creation')
  }
  const now = cluster.clock.now()
  trackUpdate(kind, undefined, asObject(body), fieldManager(call), call.subresource, now)
  sendObject(call, await createAdmitted(cluster, kind, namespace, body, options), 201)
}

/** The object of a replacing request, after `change` has had its way with what is stored. */
export function changeObject(
  call: ApiRequest,
  change: (current: JsonObject) => JsonObject,
): KubeObject | Promise<KubeObject> {
  const { cluster, kind } = call
  return updateAdmitted(call, (current) => {
    const before = clone(current)
    const next = asObject(change(current))
    checkIdentity(call, next)
    trackUpdate(kind, before, next, fieldManager(call), call.subresource, cluster.clock.now())
    return next
  })
}

function checkIdentity(call: ApiRequest, body: KubeObject): void {
  const name = textAt(body, 'metadata', 'name')
  if (name !== undefined && name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`)
  }
  const namespace = textAt(body, 'metadata', 'namespace')
  if (namespace !== undefined && call.namespace !== undefined && namespace !== call.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
}

const createdByPut = new Set(['leases.coordination.k8s.io', 'endpoints', 'configmaps'])

export async function handleUpdate(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name } = call
  const body = await readOwnBody(call)
  if (!textAt(body, 'metadata', 'name')) {
    throw badRequest('the name of the object (metadata.name) must be set on update')
  }
  checkIdentity(call, asObject(body))
  const isMissing = !cluster.store.find(kind.key, namespace, name)
  if (isMissing && createdByPut.has(kind.key) && !call.subresource) {
    sendObject(call, await createAdmitted(cluster, kind, namespace, body, writeOptions(call)), 201)
    return
  }
  sendObject(call, await changeObject(call, () => body))
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

/** Applies a patch of any of the types to the version of the object that the client sees. */
export function patchObject(call: ApiRequest, current: JsonObject, type: string, bytes: Buffer): JsonObject {
  const { kind } = call
  const isStrategic = type.includes('strategic')
  const prefix = isStrategic ? '' : 'error decoding patch: '
  const patch = parseText(bytes, false, (fault) => prefix + fault)
  const seen = encode(kind, asObject(current))
  let patched: JsonObject
  if (type === 'application/json-patch+json') patched = applyJsonPatch(seen, patch)
  else if (!isObject(patch))
    throw badRequest(`${prefix}json: cannot unmarshal array into Go value of type map[string]interface {}`)
  else if (type === 'application/merge-patch+json') patched = applyMergePatch(seen, patch)
  else if (kind.model === undefined || kind.definition)
    throw unsupportedMediaType(patchTypes.filter((one) => !one.includes('strategic')))
  else patched = applyStrategicMergePatch(seen, patch, kind.model)
  try {
    return decodeBody(kind, patched, fieldValidation(call.query), warnClient(call))
  } catch (error) {
    const isUnfit =
      error instanceof StatusError && / handled as a \w+: json: cannot unmarshal/.test(error.message)
    if (!isUnfit) throw error
    const message = error.message.slice(error.message.indexOf('json: cannot unmarshal'))
    throw unfitPatch(message, patch, patched, isStrategic)
  }
}

export async function handlePatch(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name, request } = call
  const type = mediaType(request)
  const bytes = await readBody(request)
  if (type === 'application/apply-patch+yaml' || type === 'application/apply-patch+json') {
    return handleApply(call, bytes)
  }
  if (!patchTypes.includes(type)) throw unsupportedMediaType(patchTypes)
  if (call.query.get('force')) {
    throw new StatusError(
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    )
  }
  cluster.resources.get(kind, namespace, name)
  sendObject(call, await changeObject(call, (current) => patchObject(call, current, type, bytes)))
}

function sendDeletion(call: ApiRequest, { object, isGone }: Deletion): void {
  const { kind, response } = call
  // Pods and services answer with themselves; the rest with what was deleted, unless something still holds it.
  if (!isGone || kind.key === 'pods' || kind.key === 'services' || kind.key === 'persistentvolumeclaims') {
    sendObject(call, object)
    return
  }
  call.cluster.store.flush()
  const { name, uid } = object.metadata
  const group = kind.group ? { group: kind.group } : {}
  sendJson(response, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...group, kind: kind.resource, uid },
  })
}

async function readDeleteBody(call: ApiRequest): Promise<JsonObject> {
  const bytes = await readBody(call.request)
  return bytes.length === 0 ? {} : parseObject(bytes, mediaType(call.request), 'DeleteOptions')
}

export async function handleDelete(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, name, query } = call
  const body = await readDeleteBody(call)
  await admitDeletion(call, cluster.resources.get(kind, namespace, name), writeOptions(call))
  sendDeletion(
    call,
    deleteObject(cluster.resources, kind, namespace, name, {
      ...deleteOptions(query, body),
      by: writeOptions(call),
    }),
  )
}

export async function handleDeleteCollection(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace, query, response } = call
  const body = await readDeleteBody(call)
  const options = { ...deleteOptions(query, body), by: writeOptions(call) }
  const isSelected = selectorOf(call)
  const objects = cluster.store.all(kind.key, namespace).filter(isSelected)
  for (const object of objects) await admitDeletion(call, object, options.by)
  const items = objects.map((object) => {
    const { object: result } = deleteObject(
      cluster.resources,
      kind,
      object.metadata.namespace,
      object.metadata.name,
      options,
    )
    return encode(kind, result)
  })
  const { revision } = cluster.store
  cluster.store.flush()
  sendJson(response, 200, {
    kind: `${kind.kind}List`,
    apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version,
    metadata: { resourceVersion: String(revision) },
    items,
  })
}

/** 404 for a subresource that a kind does not have, in the same words as a path that leads nowhere. */
export function noSubresource(call: ApiRequest): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {
    name: call.name,
    ...(call.kind.group ? { group: call.kind.group } : {}),
    kind: call.kind.resource,
  })
}
