import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../json.ts'
import { wantsYaml } from './accept.ts'
import { toYaml } from './yaml.ts'
import { statusBody, type StatusError } from '../status-error.ts'

/** Sends JSON that is already text. */
export function sendText(
  response: ServerResponse,
  code: number,
  text: string,
  type = 'application/json',
): void {
  const isYaml = type === 'application/json' && wantsYaml(response.req.headers.accept)
  const bytes = Buffer.from(isYaml ? toYaml(JSON.parse(text)) : text)
  response.writeHead(code, {
    'Content-Type': isYaml ? 'application/yaml' : type,
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
