import { WebSocket } from 'ws'
import type { Sandbox } from '../sandbox.ts'

/** What a command said, and its exit code. */
export type Said = { out: string; error: string; code: number }

/** Runs a command in the first container of a pod, as kubectl does. */
export function execIn(
  sandbox: Sandbox,
  namespace: string,
  pod: string,
  words: readonly string[],
): Promise<Said> {
  const query = words.map((word) => `command=${encodeURIComponent(word)}`).join('&')
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}&stdout=true&stderr=true`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(`${sandbox.url.replace('https', 'wss')}${path}`, ['v5.channel.k8s.io'], {
    ca: sandbox.caPem,
    headers,
  })
  return new Promise((done, fail) => {
    const said: Said = { out: '', error: '', code: 0 }
    socket.on('message', (data: Buffer) => {
      const text = data.subarray(1).toString()
      if (data[0] === 1) said.out += text
      if (data[0] === 2) said.error += text
      if (data[0] === 3)
        said.code = Number(/exit status (\d+)/.exec(text)?.[1] ?? (text.includes('"Success"') ? 0 : 126))
    })
    socket.on('close', () => done(said))
    socket.on('error', fail)
  })
}
