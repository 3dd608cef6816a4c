import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { parse } from 'yaml'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { decodeProtobuf } from '../proto/decode.ts'
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

// Only server-side apply and clients that send YAML need the parser, which takes 12 MB.
let parseYaml: typeof parse | undefined

function loadYaml(): typeof parse {
  const library: { parse: typeof parse } = createRequire(import.meta.url)('yaml')
  parseYaml = library.parse
  return parseYaml
}

/** Parses a body of JSON or YAML. Throws 400. */
export function parseText(bytes: Buffer, isYaml: boolean): Json {
  let value: Json
  try {
    // The result of parsing JSON, or YAML without custom tags, is JSON.
    value = (
      isYaml
        ? (parseYaml ?? loadYaml())(bytes.toString('utf8'), { maxAliasCount: 100 })
        : JSON.parse(bytes.toString('utf8'))
    ) as Json
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : ''
    throw new StatusError(400, 'BadRequest', `unable to parse the request body: ${reason}`)
  }
  if (isTooDeep(value ?? null)) throw badRequest('json: the request body is nested too deeply')
  return value ?? null
}

/** Parses an object in any of the formats that a body may have. Throws 400 or 415. */
export function parseObject(bytes: Buffer, type: string): JsonObject {
  if (type === 'application/vnd.kubernetes.protobuf') return decodeProtobuf(bytes)
  const isYaml = type === 'application/yaml'
  if (!isYaml && type !== 'application/json' && type !== '')
    throw unsupportedMediaType([
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ])
  const value = parseText(bytes, isYaml)
  if (!isObject(value))
    throw badRequest(
      'the object provided is unrecognized (must be of type object): the body is not a JSON object',
    )
  return value
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new StatusError(415, 'UnsupportedMediaType', message)
}
