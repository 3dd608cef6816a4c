import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endSocket } from '../../../platform/http/end-socket.ts'
import type { StatusObject } from './status-object.ts'

/** Answers a failure as a Kubernetes Status object; does nothing once an answer has begun. */
export function answerStatus(response: ServerResponse, status: StatusObject): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify(status)
  response.writeHead(status.code, { ...statusHeaders(status), 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Answers an object in the place of the cluster. */
export function answerObject(response: ServerResponse, code: number, object: object): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify(object)
  response.writeHead(code, { ...ownHeaders, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** A failure on the socket of a request that asked for an upgrade, which then is closed. */
export function answerStatusOnSocket(
  socket: Duplex,
  status: StatusObject,
  others: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify(status)
  const headers = {
    ...others,
    ...statusHeaders(status),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  endSocket(socket, headText(status.code, headers) + body)
}

/** Status line and headers as they are on the wire. */
export function headText(code: number, headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => `${name}: ${each}\r\n`),
  )
  return `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${lines.join('')}\r\n`
}

const ownHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function statusHeaders(status: StatusObject): OutgoingHttpHeaders {
  const retryAfter = status.details?.retryAfterSeconds
  return {
    ...ownHeaders,
    ...(retryAfter && { 'retry-after': String(retryAfter) }),
    // What is left of a body that was not read would be taken for the next request.
    ...((status.code === 413 || status.code === 401) && { connection: 'close' }),
  }
}
