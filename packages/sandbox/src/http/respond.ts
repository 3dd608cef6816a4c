import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../json.ts'
import { statusBody, type StatusError } from '../status-error.ts'

/** Sends JSON that is already text. */
export function sendText(
  response: ServerResponse,
  code: number,
  text: string,
  type = 'application/json',
): void {
  const bytes = Buffer.from(text)
  response.writeHead(code, {
    'Content-Type': type,
    'Content-Length': bytes.length,
    'Cache-Control': 'no-cache, private',
  })
  response.end(bytes)
}

export function sendJson(response: ServerResponse, code: number, body: JsonObject, type?: string): void {
  sendText(response, code, JSON.stringify(body), type)
}

export function sendStatus(response: ServerResponse, error: StatusError): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds)
  sendJson(response, error.code, statusBody(error))
}
