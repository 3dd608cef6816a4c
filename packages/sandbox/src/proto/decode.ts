import { isObject, type Json, type JsonObject } from '../json.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { messages } from './messages.ts'

type Field = { name: string; type: string; container: 'none' | 'list' | 'map'; keepsZero: boolean }

const parsed = new Map<string, Map<number, Field>>()

function fieldsOf(message: string): Map<number, Field> | undefined {
  const known = parsed.get(message)
  if (known) return known
  const text = Object.hasOwn(messages, message) ? messages[message] : undefined
  if (text === undefined) return undefined
  const fields = new Map<number, Field>()
  for (const word of text.split(' ')) {
    const [number = '', name = '', type = ''] = word.split(':')
    const container = type.startsWith('[]') ? 'list' : type.startsWith('{}') ? 'map' : 'none'
    const plain = type.replace(/^(\[\]|\{\})/, '').replace(/\*$/, '')
    fields.set(Number(number), { name, type: plain, container, keepsZero: type.endsWith('*') })
  }
  parsed.set(message, fields)
  return fields
}

function truncated(): StatusError {
  return badRequest('proto: unexpected end of the message')
}

/** Reads one message, field by field. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw truncated()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw badRequest('proto: integer overflow')
  }

  bytes(): Buffer {
    const length = Number(this.varint())
    if (length < 0 || this.#at + length > this.#bytes.length) throw truncated()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  skip(wire: number): void {
    if (wire === 0) this.varint()
    else if (wire === 2) this.bytes()
    else if (wire === 1 || wire === 5) {
      this.#at += wire === 1 ? 8 : 4
      if (this.#at > this.#bytes.length) throw truncated()
    } else throw badRequest(`proto: illegal wireType ${wire}`)
  }
}

/** The fields of a message by number, each as it is on the wire. */
function readRaw(bytes: Buffer): Map<number, (bigint | Buffer)[]> {
  const reader = new Reader(bytes)
  const values = new Map<number, (bigint | Buffer)[]>()
  while (!reader.isDone) {
    const tag = Number(reader.varint())
    const wire = tag & 7
    if (tag <= 7) throw badRequest('proto: illegal tag 0')
    if (wire !== 0 && wire !== 2) {
      reader.skip(wire)
      continue
    }
    const value = wire === 0 ? reader.varint() : reader.bytes()
    const list = values.get(tag >>> 3) ?? []
    list.push(value)
    values.set(tag >>> 3, list)
  }
  return values
}

function asBytes(value: bigint | Buffer | undefined): Buffer {
  if (typeof value === 'bigint') throw badRequest('proto: wrong wireType')
  return value ?? Buffer.alloc(0)
}

function asNumber(value: bigint | Buffer | undefined): number {
  if (Buffer.isBuffer(value)) throw badRequest('proto: wrong wireType')
  return Number(value ?? 0n)
}

const deepest = 64

function decodeValue(type: string, value: bigint | Buffer, depth: number): Json | undefined {
  if (depth > deepest) throw badRequest('proto: the message is nested too deeply')
  if (type === 'i') return asNumber(value)
  if (type === 'b') return asNumber(value) !== 0
  if (type === 's') return asBytes(value).toString('utf8')
  if (type === 'y') return asBytes(value).toString('base64')
  const raw = readRaw(asBytes(value))
  if (type === 'q') return asBytes(raw.get(1)?.[0]).toString('utf8')
  if (type === 't') {
    const seconds = asNumber(raw.get(1)?.[0])
    if (Math.abs(seconds) > 8.64e12) throw badRequest('proto: time out of range')
    return seconds === 0 ? undefined : `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
  }
  if (type === 'o') {
    return asNumber(raw.get(1)?.[0]) === 0
      ? asNumber(raw.get(2)?.[0])
      : asBytes(raw.get(3)?.[0]).toString('utf8')
  }
  return decodeMessage(type, asBytes(value), depth + 1)
}

function decodeEntry(type: string, value: bigint | Buffer, depth: number): [key: string, value: Json] {
  const raw = readRaw(asBytes(value))
  const zero: Json = type === 's' || type === 'y' || type === 'q' ? '' : 0
  const inner = raw.get(2)?.[0]
  return [
    asBytes(raw.get(1)?.[0]).toString('utf8'),
    inner === undefined ? zero : (decodeValue(type, inner, depth) ?? zero),
  ]
}

function decodeMessage(message: string, bytes: Buffer, depth: number): JsonObject {
  const fields = fieldsOf(message)
  const result: JsonObject = {}
  for (const [number, values] of readRaw(bytes)) {
    const field = fields?.get(number)
    const last = values.at(-1)
    if (!field || last === undefined) continue
    if (field.container === 'list') {
      const items = values.map((value) => decodeValue(field.type, value, depth))
      result[field.name] = items.filter((item) => item !== undefined)
    } else if (field.container === 'map') {
      result[field.name] = Object.fromEntries(values.map((value) => decodeEntry(field.type, value, depth)))
    } else {
      const value = decodeValue(field.type, last, depth)
      // Go sends the zero value of everything that is not a pointer.
      if (value === undefined || (!field.keepsZero && (value === '' || value === 0 || value === false)))
        continue
      if (field.name === '~' && isObject(value)) Object.assign(result, value)
      else result[field.name] = value
    }
  }
  return result
}

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00])

/** Decodes a body of `application/vnd.kubernetes.protobuf`. Throws 400 for broken ones, 415 for kinds it does not know. */
export function decodeProtobuf(bytes: Buffer): JsonObject {
  if (!bytes.subarray(0, 4).equals(magic)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  }
  const envelope = readRaw(bytes.subarray(4))
  const type = readRaw(asBytes(envelope.get(1)?.[0]))
  const apiVersion = asBytes(type.get(1)?.[0]).toString('utf8')
  const kind = asBytes(type.get(2)?.[0]).toString('utf8')
  const message = fieldsOf(`${apiVersion}/${kind}`) ? `${apiVersion}/${kind}` : kind
  if (!fieldsOf(message)) {
    const text = `the body of the request was in an unknown format - no protobuf message is known for ${kind}; accepted media types include: application/json, application/yaml`
    throw new StatusError(415, 'UnsupportedMediaType', text)
  }
  return { ...decodeMessage(message, asBytes(envelope.get(2)?.[0]), 0), apiVersion, kind }
}
