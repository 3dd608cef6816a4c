import { parse } from 'yaml'
import type { RequestInfo } from './request-info.ts'

/** How an object is called whose name does not stand in the path, as far as its body says. */
export type NamedInBody = { name?: string; generateName?: string; kind?: string }

/** Names of Kubernetes have 253 characters at most; what is longer names nothing. */
const maxNameLength = 253

/** Whether the path of a request leaves the name of its object to the body: creations alone do. */
export function isNamedInBody({ verb, resource }: RequestInfo): boolean {
  return verb === 'create' && resource !== undefined && resource.objectName === ''
}

/**
 * Reads the metadata of an object that is sent or answered: JSON, YAML, or the protobuf of client-go. Empty where it
 * cannot be read: the cluster itself says what is wrong with it.
 */
export function nameInBody(body: Buffer, contentType: string | undefined): NamedInBody {
  try {
    if (body.subarray(0, 4).equals(protobufMagic)) return nameInProtobuf(body.subarray(4))
    const text = body.toString()
    return nameOf(contentType?.includes('yaml') ? parse(text, { maxAliasCount: 0 }) : JSON.parse(text))
  } catch {
    // Not an object at all: its entry is written without a name.
    return {}
  }
}

function nameOf(object: unknown): NamedInBody {
  const { kind, metadata } = asRecord(object)
  const { name, generateName } = asRecord(metadata)
  return {
    ...textField('kind', kind),
    ...textField('name', name),
    ...(textField('name', name).name === undefined && textField('generateName', generateName)),
  }
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textField(key: keyof NamedInBody, value: unknown): NamedInBody {
  return typeof value === 'string' && value !== '' && value.length <= maxNameLength ? { [key]: value } : {}
}

/** `k8s.io/apimachinery/pkg/runtime`, `Unknown`: type (1: apiVersion 1, kind 2) and the object (2), metadata being its 1. */
export const protobufMagic = Buffer.from('k8s\0')

function nameInProtobuf(envelope: Buffer): NamedInBody {
  const [type, object] = [fieldOf(envelope, 1), fieldOf(envelope, 2)]
  const metadata = object && fieldOf(object, 1)
  const kind = type && fieldOf(type, 2)?.toString()
  const [name, generateName] = [1, 2].map((field) => metadata && fieldOf(metadata, field)?.toString())
  return nameOf({ kind, metadata: { name, generateName } })
}

/** The first field of a message with this number and a length; undefined where there is none. Throws when it is cut off. */
export function fieldOf(message: Buffer, wanted: number): Buffer | undefined {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = message.readUInt8(at++)
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new RangeError('A number of the message is too long')
  }
  while (at < message.length) {
    const tag = varint()
    // Fields of a fixed size stand in no message on the way to a name.
    if (tag % 8 === 0) varint()
    else if (tag % 8 === 2) {
      const length = varint()
      const end = at + length
      if (end > message.length) throw new RangeError('The message is cut off')
      if (tag >>> 3 === wanted) return message.subarray(at, end)
      at = end
    } else return undefined
  }
  return undefined
}
