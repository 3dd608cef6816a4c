import { request } from 'node:https'
import type { Sandbox } from '@bey/sandbox'

type Address = Pick<Sandbox, 'url' | 'caPem' | 'adminToken'>

/** Sends requests to a sandbox itself, as its administrator. Rejects what is no success, with the answer's body. */
export function sandboxCalls({ url, caPem, adminToken }: Address) {
  return async function kube(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': type }
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
    const sent = request(`${url}${path}`, { method, ca: caPem, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('end', () =>
        (answer.statusCode ?? 500) < 300
          ? resolve(JSON.parse(text || '{}') as Record<string, unknown>)
          : reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
    return promise
  }
}
