import { parseText } from '../http/body.ts'
import { clone, equal, isObject, type Json, type JsonObject } from '../json.ts'
import {
  fieldSetOf,
  intersect,
  itemKey,
  leafPaths,
  shapeOf,
  subtract,
  type FieldSet,
  type Shape,
} from '../patch/field-set.ts'
import { makeEntry } from '../patch/managed-fields.ts'
import { apiVersionOf } from '../registry/kind.ts'
import { badRequest, conflict, StatusError } from '../status-error.ts'
import type { KubeObject, ManagedFields } from '../types.ts'
import { createAdmitted, updateAdmitted } from './admitted.ts'
import { decodeBody } from './coder.ts'
import { sendObject } from './list.ts'
import { fieldManager, fieldValidation, isTrue, warnClient, type ApiRequest } from './request.ts'
import { asObject, writeOptions } from './write-options.ts'

/** Writes what `applied` has into `live`, item by item where the shape allows it. */
function merge(live: Json | undefined, applied: Json, shape: Shape): Json {
  if (shape.type === 'struct' && isObject(applied)) {
    const result: JsonObject = isObject(live) ? { ...live } : {}
    for (const [key, member] of Object.entries(applied)) {
      if (member !== undefined) result[key] = merge(result[key], member, shape.member(key))
    }
    return result
  }
  if (shape.type === 'list' && Array.isArray(applied)) {
    const rest = Array.isArray(live) ? [...live] : []
    const keyOf = (item: Json) => itemKey(item, shape.keys, shape.defaults)
    for (const item of applied) {
      const place = rest.findIndex((one) => keyOf(one) === keyOf(item))
      if (place === -1) rest.push(clone(item))
      else rest[place] = merge(rest[place], item, shape.item)
    }
    return rest
  }
  if (shape.type === 'set' && Array.isArray(applied)) {
    const old = Array.isArray(live) ? live : []
    return [...old, ...applied.filter((item) => !old.some((one) => equal(one, item)))]
  }
  return clone(applied)
}

/** Removes the fields of a set from a value. */
function remove(value: Json, gone: FieldSet, shape: Shape): Json {
  if (isObject(value) && shape.type === 'struct') {
    const result: JsonObject = { ...value }
    for (const [key, inner] of Object.entries(gone)) {
      const name = key.slice(2)
      const member = result[name]
      if (!key.startsWith('f:') || member === undefined || !isObject(inner)) continue
      if (Object.keys(inner).length === 0) delete result[name]
      else {
        const rest = remove(member, inner, shape.member(name))
        const isHollow = typeof rest === 'object' && rest !== null && Object.keys(rest).length === 0
        if (isHollow) delete result[name]
        else result[name] = rest
      }
    }
    return result
  }
  if (Array.isArray(value) && shape.type === 'list') {
    return value.flatMap((item) => {
      const inner = gone[itemKey(item, shape.keys, shape.defaults) ?? '']
      if (!isObject(inner)) return [item]
      return inner['.'] || Object.keys(inner).length === 0 ? [] : [remove(item, inner, shape.item)]
    })
  }
  if (Array.isArray(value) && shape.type === 'set') {
    return value.filter((item) => gone[`v:${JSON.stringify(item)}`] === undefined)
  }
  return value
}

/** The part of `set` whose value differs between the two objects. */
function differing(set: FieldSet, applied: Json | undefined, live: Json | undefined, shape: Shape): FieldSet {
  const result: FieldSet = {}
  for (const [key, inner] of Object.entries(set)) {
    if (!isObject(inner) || key === '.') continue
    const [a, b, deeper] = step(key, applied, live, shape)
    if (Object.keys(inner).length === 0) {
      if (!equal(a, b)) result[key] = {}
    } else {
      const below = differing(inner, a, b, deeper)
      if (Object.keys(below).length > 0) result[key] = below
    }
  }
  return result
}

function step(
  key: string,
  a: Json | undefined,
  b: Json | undefined,
  shape: Shape,
): [Json | undefined, Json | undefined, Shape] {
  const atom: Shape = { type: 'atom' }
  if (shape.type === 'struct') {
    const name = key.slice(2)
    return [isObject(a) ? a[name] : undefined, isObject(b) ? b[name] : undefined, shape.member(name)]
  }
  if (shape.type === 'list') {
    const find = (list: Json | undefined) =>
      (Array.isArray(list) ? list : []).find((item) => itemKey(item, shape.keys, shape.defaults) === key)
    return [find(a), find(b), shape.item]
  }
  return [a, a, atom]
}

function conflictError(
  call: ApiRequest,
  conflicts: { entry: ManagedFields; fields: FieldSet }[],
): StatusError {
  const causes = conflicts.flatMap(({ entry, fields }) => {
    const using = entry.operation === 'Update' ? ` using ${entry.apiVersion}` : ''
    const sub = entry.subresource ? ` with subresource ${JSON.stringify(entry.subresource)}` : ''
    const message = `conflict with ${JSON.stringify(entry.manager)}${sub}${using}`
    return leafPaths(fields).map((path) => ({ reason: 'FieldManagerConflict', message, field: path }))
  })
  const count = causes.length
  const [first] = causes
  const text =
    count === 1 && first
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${count} conflicts: ${conflicts
          .map(
            ({ entry, fields }) =>
              `conflicts with ${JSON.stringify(entry.manager)}${entry.operation === 'Update' ? ` using ${entry.apiVersion}` : ''}:\n${leafPaths(
                fields,
              )
                .map((path) => `- ${path}`)
                .join('\n')}`,
          )
          .join('\n')}`
  const error = conflict(call.kind, call.name, text)
  return new StatusError(409, 'Conflict', text, { ...error.details, causes })
}

function withoutIdentity(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object
  const meta: JsonObject = {}
  for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const value = isObject(metadata) ? metadata[key] : undefined
    if (value !== undefined) meta[key] = value
  }
  return { ...rest, metadata: meta }
}

/** Server-side apply: makes the object have what the body says, and everything the same applier said before not. */
export async function handleApply(call: ApiRequest, bytes: Buffer): Promise<void> {
  const { cluster, kind, namespace, name, query, subresource } = call
  const body = parseText(
    bytes,
    true,
    (fault) => `error decoding YAML: error converting YAML to JSON: ${fault}`,
  )
  if (!isObject(body)) throw badRequest('error decoding YAML: the body is not an object')
  if (!query.get('fieldManager')) {
    throw new StatusError(
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  }
  if (isObject(body['metadata']) && body['metadata']['managedFields']) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const applied = decodeBody(kind, body, fieldValidation(query), warnClient(call))
  const shape = shapeOf(cluster.registry.stored(kind.key))
  const wanted = fieldSetOf(applied, shape)
  const manager = fieldManager(call)
  const who = { manager, operation: 'Apply' as const, subresource, apiVersion: apiVersionOf(kind) }
  const now = cluster.clock.now()
  const live = cluster.store.find(kind.key, namespace, name)
  if (!live) {
    if (subresource) cluster.resources.get(kind, namespace, name)
    const metadata = { ...(isObject(applied['metadata']) ? applied['metadata'] : {}), name }
    applied['metadata'] = metadata
    asObject(applied).metadata.managedFields = [makeEntry(who, wanted, now)]
    sendObject(call, await createAdmitted(cluster, kind, namespace, applied, writeOptions(call)), 201)
    return
  }
  const isMine = (entry: ManagedFields) =>
    entry.manager === manager &&
    entry.operation === 'Apply' &&
    (entry.subresource ?? '') === (subresource ?? '')
  const entries = live.metadata.managedFields ?? []
  const mine = entries.find(isMine)
  const others = entries.filter((entry) => !isMine(entry))
  const contested = others.flatMap((entry) => {
    const fields = differing(intersect(wanted, entry.fieldsV1), applied, live, shape)
    return Object.keys(fields).length > 0 ? [{ entry, fields }] : []
  })
  if (contested.length > 0 && !isTrue(query, 'force')) throw conflictError(call, contested)

  let dropped = subtract(mine?.fieldsV1 ?? {}, wanted)
  for (const entry of others) dropped = subtract(dropped, entry.fieldsV1)
  const result = await updateAdmitted(call, (current): KubeObject => {
    const reduced = remove(current, dropped, shape)
    const merged = merge(reduced, withoutIdentity(applied), shape)
    const next = asObject(isObject(merged) ? merged : {})
    const version = asObject(applied).metadata.resourceVersion
    next.metadata = {
      ...current.metadata,
      ...next.metadata,
      ...(version ? { resourceVersion: version } : {}),
    }
    for (const key of ['labels', 'annotations', 'finalizers'] as const) {
      if (
        isObject(reduced) &&
        isObject(reduced['metadata']) &&
        reduced['metadata'][key] === undefined &&
        !wantsMeta(applied, key)
      ) {
        delete next.metadata[key]
      }
    }
    const taken = contested.map(({ fields }) => fields)
    const kept = others.flatMap((entry) => {
      let { fieldsV1 } = entry
      for (const fields of taken) fieldsV1 = subtract(fieldsV1, fields)
      return Object.keys(fieldsV1).length > 0 ? [{ ...entry, fieldsV1 }] : []
    })
    const isUnchanged = mine !== undefined && equal(mine.fieldsV1, wanted)
    const own = isUnchanged ? mine : makeEntry(who, wanted, now)
    next.metadata.managedFields = Object.keys(wanted).length > 0 ? [...kept, own] : kept
    return next
  })
  sendObject(call, result)
}

function wantsMeta(applied: JsonObject, key: string): boolean {
  return isObject(applied['metadata']) && applied['metadata'][key] !== undefined
}
