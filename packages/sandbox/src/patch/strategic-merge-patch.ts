import { clone, equal, isObject, type Json, type JsonObject } from '../json.ts'
import { listRule, patchReplaces } from '../schema/merge-keys.ts'
import { fieldType, modelOf } from '../schema/models.ts'
import { badRequest, StatusError } from '../status-error.ts'

const deleteFrom = '$deleteFromPrimitiveList/'
const order = '$setElementOrder/'

/** The model of a field's items or value, '' where it is plain. */
function modelOfField(model: string, key: string): string {
  const encoded = modelOf(model)?.[key]
  const of = encoded === undefined ? '' : fieldType(encoded).of
  return of.length > 1 ? of : ''
}

function sortBy<T>(
  items: T[],
  wanted: Json[],
  idOf: (item: T) => Json | undefined,
  wantedId: (item: Json) => Json | undefined,
): T[] {
  const places = new Map(wanted.map((item, i) => [wantedId(item), i]))
  const listed = items.filter((item) => places.has(idOf(item) ?? null))
  const others = items.filter((item) => !places.has(idOf(item) ?? null))
  listed.sort((a, b) => (places.get(idOf(a) ?? null) ?? 0) - (places.get(idOf(b) ?? null) ?? 0))
  // Items that the patch does not know of (the server's own) come after those that it does.
  return [...listed, ...others]
}

function mergePrimitives(old: Json[], patch: Json[], gone: Json[], wanted: Json[] | undefined): Json[] {
  const kept = old.filter((item) => !gone.some((other) => equal(other, item)))
  const merged = [...kept, ...patch.filter((item) => !kept.some((other) => equal(other, item)))]
  return wanted
    ? sortBy(
        merged,
        wanted,
        (item) => item,
        (item) => item,
      )
    : merged
}

function mergeObjects(
  old: Json[],
  patch: Json[],
  key: string,
  model: string,
  wanted: Json[] | undefined,
): Json[] {
  let items = [...old]
  if (patch.some((item) => isObject(item) && item['$patch'] === 'replace')) items = []
  for (const item of patch) {
    if (!isObject(item))
      throw badRequest('unable to find api field: list items of a strategic merge patch must be objects')
    const { $patch: directive, ...rest } = item
    if (directive === 'replace' && Object.keys(rest).length === 0) continue
    const id = rest[key]
    if (id === undefined) {
      throw new StatusError(
        400,
        'BadRequest',
        `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`,
      )
    }
    const place = items.findIndex((other) => isObject(other) && equal(other[key], id))
    if (directive === 'delete') items = items.filter((other) => !(isObject(other) && equal(other[key], id)))
    else {
      const current = items[place]
      const merged = mergeModel(isObject(current) ? current : {}, rest, model)
      if (place === -1) items.push(merged)
      else items[place] = merged
    }
  }
  const idOf = (item: Json) => (isObject(item) ? item[key] : undefined)
  return wanted ? sortBy(items, wanted, idOf, idOf) : items
}

function mergeModel(document: JsonObject, patch: JsonObject, model: string): JsonObject {
  if (patch['$patch'] === 'replace') {
    const { $patch: directive, ...rest } = patch
    void directive
    return clone(rest)
  }
  if (patch['$patch'] === 'delete') return {}
  const result: JsonObject = { ...document }
  const retained = patch['$retainKeys']
  if (Array.isArray(retained)) {
    for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key]
  }
  const lists = new Map<string, { gone: Json[]; wanted: Json[] | undefined; items: Json[] }>()
  const listOf = (key: string) => {
    const found = lists.get(key) ?? { gone: [], wanted: undefined, items: [] }
    lists.set(key, found)
    return found
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || value === undefined) continue
    if (key.startsWith(deleteFrom))
      listOf(key.slice(deleteFrom.length)).gone = Array.isArray(value) ? value : []
    else if (key.startsWith(order)) listOf(key.slice(order.length)).wanted = Array.isArray(value) ? value : []
    else if (value === null) delete result[key]
    else if (Array.isArray(value)) listOf(key).items = value
    else if (isObject(value)) {
      const current = result[key]
      const isReplaced = patchReplaces.has(`${model}.${key}`) || !isObject(current)
      result[key] = mergeModel(isReplaced ? {} : current, value, modelOfField(model, key))
    } else result[key] = value
  }
  for (const [key, { gone, wanted, items }] of lists) {
    const rule = listRule(model, key)
    const current = result[key]
    const old = Array.isArray(current) ? current : []
    if (rule.patch === undefined) {
      if (patch[key] !== undefined) result[key] = clone(items)
    } else if (rule.patch === '') result[key] = mergePrimitives(old, items, gone, wanted)
    else result[key] = mergeObjects(old, items, rule.patch, modelOfField(model, key), wanted)
  }
  return result
}

/** Applies a strategic merge patch, whose lists merge by the keys of the API reference, to a copy. */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, model: string): JsonObject {
  return mergeModel(document, patch, model)
}
