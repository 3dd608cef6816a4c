import { stamp } from '../clock.ts'
import { equal, isObject, type Json, type JsonObject } from '../json.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import type { KubeObject, ManagedFields } from '../types.ts'
import { fieldSetOf, itemKey, shapeOf, subtract, union, type FieldSet, type Shape } from './field-set.ts'

function isEmpty(set: FieldSet): boolean {
  return Object.keys(set).length === 0
}

/** The fields of `after` whose value differs from `before`. */
function changedFields(before: JsonObject, after: JsonObject, shape: Shape): FieldSet {
  return changedAt(pick(before), pick(after), shape)
}

function pick(object: JsonObject): JsonObject {
  const rest: JsonObject = {}
  for (const [key, value] of Object.entries(object)) {
    if (key === 'apiVersion' || key === 'kind') continue
    if (key !== 'metadata') rest[key] = value
    else if (isObject(value)) {
      const meta: JsonObject = {}
      for (const name of ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName']) {
        if (value[name] !== undefined) meta[name] = value[name]
      }
      rest[key] = meta
    }
  }
  return rest
}

function changedAt(before: Json | undefined, after: Json, shape: Shape): FieldSet {
  const set: FieldSet = {}
  if (shape.type === 'struct' && isObject(after)) {
    const old = isObject(before) ? before : {}
    for (const [key, member] of Object.entries(after)) {
      if (member === undefined || equal(member, old[key])) continue
      const inner = shape.member(key)
      const deeper = changedAt(old[key], member, inner)
      const isDivisible =
        inner.type !== 'atom' && (isObject(member) || Array.isArray(member)) && Object.keys(member).length > 0
      if (!isDivisible || !isEmpty(deeper)) set[`f:${key}`] = deeper
    }
    return set
  }
  if (shape.type === 'list' && Array.isArray(after)) {
    const old = new Map(
      (Array.isArray(before) ? before : []).map((item) => [itemKey(item, shape.keys, shape.defaults), item]),
    )
    for (const item of after) {
      const key = itemKey(item, shape.keys, shape.defaults)
      if (key === undefined || equal(old.get(key), item)) continue
      const deeper = changedAt(old.get(key), item, shape.item)
      set[key] = old.has(key) ? deeper : { '.': {}, ...deeper }
    }
    return set
  }
  if (shape.type === 'set' && Array.isArray(after)) {
    const old = Array.isArray(before) ? before : []
    for (const item of after) if (!old.some((one) => equal(one, item))) set[`v:${JSON.stringify(item)}`] = {}
  }
  return set
}

type Entry = {
  manager: string
  operation: 'Apply' | 'Update'
  subresource: string | undefined
  apiVersion: string
}

function isSame(entry: ManagedFields, other: Entry): boolean {
  return (
    entry.manager === other.manager &&
    entry.operation === other.operation &&
    (entry.subresource ?? '') === (other.subresource ?? '') &&
    entry.apiVersion === other.apiVersion
  )
}

const shared = new Map<string, FieldSet>()
const sharedAtMost = 5000

/** The one copy of a set that thousands of objects have in common, such as the replicas of a workload. */
export function sharedFields(fields: FieldSet): FieldSet {
  const text = JSON.stringify(fields)
  const known = shared.get(text)
  if (known) return known
  if (shared.size >= sharedAtMost) shared.clear()
  shared.set(text, fields)
  return fields
}

export function makeEntry(entry: Entry, fields: FieldSet, nowMs: number): ManagedFields {
  return {
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    time: stamp(nowMs),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(entry.subresource ? { subresource: entry.subresource } : {}),
  }
}

/**
 * Notes in managedFields that `manager` has set what differs between the two, taking it from everybody else, and
 * drops fields that are gone. A client that sends an empty list clears the record.
 */
export function trackUpdate(
  kind: Kind,
  before: KubeObject | undefined,
  after: KubeObject,
  manager: string,
  subresource: string | undefined,
  nowMs: number,
): void {
  const { metadata } = after
  if (before && Array.isArray(metadata.managedFields) && metadata.managedFields.length === 0) {
    delete metadata.managedFields
    return
  }
  const isOwnRecord =
    before !== undefined &&
    metadata.managedFields !== undefined &&
    !equal(metadata.managedFields, before.metadata.managedFields)
  const shape = shapeOf(kind)
  let entries = (isOwnRecord ? metadata.managedFields : before?.metadata.managedFields) ?? []
  const changed = before ? changedFields(before, after, shape) : fieldSetOf(withoutStatus(kind, after), shape)
  const who: Entry = { manager, operation: 'Update', subresource, apiVersion: apiVersionOf(kind) }
  if (!isEmpty(changed)) {
    const mine = entries.find((entry) => isSame(entry, who))
    const others = entries
      .filter((entry) => entry !== mine)
      .map((entry) => ({ ...entry, fieldsV1: subtract(entry.fieldsV1, changed) }))
    entries = [...others, makeEntry(who, union(mine?.fieldsV1 ?? {}, changed), nowMs)]
  }
  const present = fieldSetOf(after, shape)
  const kept = entries
    .map((entry) => ({
      ...entry,
      fieldsV1: existing(entry.fieldsV1, present, entry.subresource === 'status'),
    }))
    .filter((entry) => !isEmpty(entry.fieldsV1))
  if (kept.length > 0) metadata.managedFields = kept
  else delete metadata.managedFields
}

function withoutStatus(kind: Kind, object: KubeObject): KubeObject {
  if (!kind.hasStatus) return object
  const copy = { ...object }
  delete copy['status']
  return copy
}

/** The part of an owned set that still exists; status is kept as it is, for others write it. */
function existing(owned: FieldSet, present: FieldSet, isStatus: boolean): FieldSet {
  if (isStatus) return owned
  const result: FieldSet = {}
  for (const [key, inner] of Object.entries(owned)) {
    if (key === '.' || key === 'f:status') result[key] = inner
    const other = present[key]
    if (!isObject(inner) || !isObject(other)) continue
    if (isEmpty(inner)) result[key] = inner
    else {
      const deeper = existing(inner, other, false)
      if (!isEmpty(deeper)) result[key] = deeper
    }
  }
  return result
}
