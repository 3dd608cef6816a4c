import type { IncomingMessage } from 'node:http'
import { isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '../json.ts'
import { decodeProtobuf } from '../proto/decode.ts'
import { duplicateMembers, rememberDuplicates } from './duplicates.ts'
import { jsonFault } from './json-fault.ts'
import { duplicateKeys, parseYaml } from './yaml.ts'
import { badRequest, StatusError } from '../status-error.ts'

const largestBytes = 3 * 1024 * 1024

/** What is sent beyond the limit is read and thrown away up to here, so that the sender gets to see the answer. */
const longestDrainBytes = 64 * 1024 * 1024

/** Reads a whole request body, at most as much as an API server takes. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((done, fail) => {
    let chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= largestBytes) chunks.push(chunk)
      else chunks = []
      if (bytes > longestDrainBytes) request.destroy()
    })
    request.once('error', fail)
    request.once('end', () => {
      if (bytes <= largestBytes) return done(Buffer.concat(chunks))
      fail(
        new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${largestBytes}`),
      )
    })
  })
}

export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

const deepest = 200

/** Whether a value is nested deeper than anything sensible. Stops at the first such place: YAML may refer to itself. */
function isTooDeep(value: Json, depth = 0): boolean {
  if (depth > deepest) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => member !== undefined && isTooDeep(member, depth + 1))
}

// What the parser of Go calls the faults that people make most.
const yamlFaults: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  MULTILINE_IMPLICIT_KEY: "could not find expected ':'",
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_ALIAS: 'did not find expected alphabetic or numeric character',
  BAD_INDENT: 'did not find expected key',
}

function yamlFault(error: unknown): string {
  const found = isObject(error) ? error : {}
  const [place] = listAt(found, 'linePos')
  const said = yamlFaults[textAt(found, 'code') ?? ''] ?? 'did not find expected node content'
  return `yaml: line ${numberAt(place, 'line') ?? 1}: ${said}`
}

/** Parses a body of JSON or YAML. Throws 400 with what `say` makes of the fault that a Go program would find. */
export function parseText(bytes: Buffer, isYaml: boolean, say: (fault: string) => string): Json {
  const text = bytes.toString('utf8')
  let value: Json
  try {
    // The result of parsing JSON, or YAML without custom tags, is JSON.
    value = (isYaml ? parseYaml(text) : JSON.parse(text)) as Json
  } catch (error) {
    throw badRequest(say(isYaml ? yamlFault(error) : jsonFault(text)))
  }
  if (isTooDeep(value ?? null)) throw badRequest(say('exceeded max depth'))
  if (isObject(value)) rememberDuplicates(value, isYaml ? duplicateKeys(text) : duplicateMembers(text))
  return value ?? null
}

const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`
const shownBytes = 30

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>'
  const encoding = bytes[0] === 0x7b ? 'utf8' : 'hex'
  const head = bytes.subarray(0, shownBytes).toString(encoding)
  return bytes.length > shownBytes ? `${head} ...` : head
}

function jsonName(value: Json): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Parses an object, said to be of this kind, in any of the formats that a body may have. Throws 400 or 415. */
export function parseObject(bytes: Buffer, type: string, kind: string): JsonObject {
  if (type === 'application/vnd.kubernetes.protobuf') return decodeProtobuf(bytes)
  const isYaml = type === 'application/yaml'
  if (!isYaml && type !== 'application/json' && type !== '')
    throw unsupportedMediaType([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ])
  const unrecognized = (why: string) =>
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`
  const noType = (fault: string) => unrecognized(`couldn't get version/kind; json parse error: ${fault}`)
  const value = parseText(bytes, isYaml, isYaml ? unrecognized : noType)
  if (isObject(value)) return value
  if (value === null) return {}
  throw badRequest(noType(`json: cannot unmarshal ${jsonName(value)} into Go value of type ${typeMeta}`))
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new StatusError(415, 'UnsupportedMediaType', message)
}
