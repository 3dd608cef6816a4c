import { duplicatesOf } from '../http/duplicates.ts'
import { objectAt, plain, type JsonObject } from '../json.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import { decodeCustom } from '../schema/custom.ts'
import { decode, type Decoded } from '../schema/decode.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { textOf } from '../store/store.ts'
import type { KubeObject } from '../types.ts'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** Fills in or checks the type that a body says it is. */
function checkType(kind: Kind, body: JsonObject): void {
  const apiVersion = apiVersionOf(kind)
  const { apiVersion: givenVersion = apiVersion, kind: givenKind = kind.kind } = body
  if (givenKind !== kind.kind) {
    throw badRequest(
      `${plain(givenKind)} in version ${JSON.stringify(givenVersion)} cannot be handled as a ${kind.kind}: no kind ${JSON.stringify(givenKind)} is registered for this resource`,
    )
  }
  if (givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${plain(givenVersion)}) does not match the expected API version (${apiVersion})`,
    )
  }
}

function decodeKind(kind: Kind, body: JsonObject): Decoded {
  if (kind.definition) return decodeCustom(kind.definition, kind.version, body)
  return kind.model ? decode(kind.model, body) : { value: body, unknown: [] }
}

/**
 * Reads a body of this kind into the stored version. Unknown members are refused, warned of or dropped.
 * Throws 400 where the body is not of the kind.
 */
export function decodeBody(
  kind: Kind,
  body: JsonObject,
  validation: FieldValidation,
  warn: (text: string) => void,
): JsonObject {
  checkType(kind, body)
  let decoded: Decoded
  const prefix = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: `
  try {
    decoded = decodeKind(kind, body)
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) throw badRequest(prefix + error.message)
    throw error
  }
  const twice = duplicatesOf(body)
  if (decoded.unknown.length + twice.length > 0 && validation !== 'Ignore') {
    const unknown = decoded.unknown.map((path) => `unknown field ${JSON.stringify(path)}`)
    const texts = [...twice, ...unknown]
    if (validation === 'Strict') throw badRequest(`${prefix}strict decoding error: ${texts.join(', ')}`)
    for (const text of texts) warn(text)
  }
  // Every write needs somewhere to put what the server decides.
  decoded.value['metadata'] = { ...objectAt(decoded.value, 'metadata') }
  return kind.convert ? kind.convert.toStored(decoded.value) : decoded.value
}

/** The stored object in the version of `kind`. */
export function encode(kind: Kind, object: KubeObject): JsonObject {
  if (kind.convert) return kind.convert.fromStored(object)
  const apiVersion = apiVersionOf(kind)
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}

export function encodeText(kind: Kind, object: KubeObject): string {
  const encoded = encode(kind, object)
  return encoded === object ? textOf(object) : JSON.stringify(encoded)
}
