import { clone, equal, isObject, plain, type Json, type JsonObject } from '../json.ts'
import { badRequest, StatusError } from '../status-error.ts'

type Step = { parent: JsonObject | Json[]; key: string }

function steps(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw badRequest(`json: invalid JSON pointer ${JSON.stringify(pointer)}`)
  }
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function unprocessable(message: string): StatusError {
  return new StatusError(
    422,
    'Invalid',
    `the server rejected our request due to an error in our request: ${message}`,
  )
}

function child(parent: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(parent)) return /^\d+$/.test(key) ? parent[Number(key)] : undefined
  return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined
}

/** How an operation says that the place before its last step is not there; some quote the pointer, some do not. */
const missing: Readonly<Record<string, (pointer: string) => string>> = {
  replace: (pointer) => `doc is missing path: ${pointer}`,
  test: (pointer) => `is missing path: ${pointer}`,
  from: (pointer) => `doc is missing from path: ${pointer}`,
}

/** The place that a pointer leads to. The document is wrapped, so that its root has a parent, too. */
function locate(wrapped: JsonObject, pointer: unknown, operation: string, as = operation): Step {
  const path = ['root', ...steps(pointer)]
  let here: Json | undefined = wrapped
  for (const key of path.slice(0, -1)) here = child(here, key)
  if (!isObject(here) && !Array.isArray(here)) {
    const text = plain(pointer)
    const why = missing[as]?.(text) ?? `doc is missing path: ${JSON.stringify(text)}`
    throw unprocessable(`${operation} operation does not apply: ${why}: missing value`)
  }
  return { parent: here, key: path.at(-1) ?? '' }
}

function insert({ parent, key }: Step, value: Json): void {
  if (!Array.isArray(parent)) {
    if (key === '__proto__') throw badRequest('json: invalid member name')
    parent[key] = value
    return
  }
  const index = key === '-' ? parent.length : Number(key)
  if (!/^(\d+|-)$/.test(key) || index > parent.length) {
    throw unprocessable(`add operation does not apply: index ${key} is out of bounds`)
  }
  parent.splice(index, 0, value)
}

function take({ parent, key }: Step, operation: string): Json {
  const old = child(parent, key)
  if (old === undefined)
    throw unprocessable(
      `${operation} operation does not apply: unable to remove nonexistent key: ${key}: missing value`,
    )
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
  return old
}

const most = 10_000

/** Applies a JSON Patch (RFC 6902) to a copy. Throws 400 for a malformed patch, 422 where it does not apply. */
export function applyJsonPatch(document: JsonObject, patch: Json): JsonObject {
  if (!Array.isArray(patch))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    )
  if (patch.length > most) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${most}, got ${patch.length}`,
    )
  }
  const root: JsonObject = { root: clone(document) }
  for (const operation of patch) {
    if (!isObject(operation))
      throw badRequest('json: cannot unmarshal into Go value of type jsonpatch.Operation')
    const { path, op: name } = operation
    const value = operation['value']
    if ((name === 'add' || name === 'replace' || name === 'test') && value === undefined && name !== 'test') {
      throw unprocessable(`${name} operation does not apply: missing value`)
    }
    const target = locate(root, path, plain(name))
    if (name === 'add') insert(target, clone(value ?? null))
    else if (name === 'remove') take(target, 'remove')
    else if (name === 'replace') {
      if (child(target.parent, target.key) === undefined) {
        throw unprocessable(
          `replace operation does not apply: doc is missing key: ${plain(operation['path'])}: missing value`,
        )
      }
      if (Array.isArray(target.parent)) target.parent[Number(target.key)] = clone(value ?? null)
      else target.parent[target.key] = clone(value ?? null)
    } else if (name === 'test') {
      if (!equal(child(target.parent, target.key) ?? null, value ?? null)) {
        throw unprocessable(`testing value ${plain(operation['path'])} failed: test failed`)
      }
    } else if (name === 'move' || name === 'copy') {
      const from = locate(root, operation['from'], name, 'from')
      const moved = name === 'move' ? take(from, name) : child(from.parent, from.key)
      if (moved === undefined) throw unprocessable(`${name} operation does not apply: missing value`)
      insert(locate(root, path, name), clone(moved))
    } else throw unprocessable(`Unexpected kind: ${plain(name)}`)
  }
  const result = root['root']
  if (!isObject(result)) throw unprocessable('the patched document is not an object')
  return result
}
