import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type JsonObject } from '../json.ts'
import { startSandbox, type Sandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../options.ts'

/** Simulated seconds pass this much faster in tests. */
const speed = 100

export type Reply = {
  code: number
  body: JsonObject
  text: string
  headers: Record<string, string | string[] | undefined>
}

export type TestSandbox = Sandbox & {
  dir: string
  /** Sends a request as the administrator unless the headers say otherwise. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Asks again until the answer is as wanted; fails with the last answer after 20 s. */
  until(path: string, isWanted: (body: JsonObject) => boolean): Promise<JsonObject>
  remove(): Promise<void>
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'sandbox-test-'))
}

export function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  agent: Agent | false = false,
): Promise<Reply> {
  const text =
    body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body)
  const options: RequestOptions = {
    method,
    agent,
    ca: sandbox.caPem,
    headers: {
      authorization: `Bearer ${sandbox.adminToken}`,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    },
  }
  return new Promise((done, fail) => {
    const sent = request(new URL(path, sandbox.url), options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const all = Buffer.concat(parts).toString()
        const parsed: unknown = all.startsWith('{') && !all.includes('}\n{') ? JSON.parse(all) : {}
        done({
          code: response.statusCode ?? 0,
          body: isObject(parsed) ? parsed : {},
          text: all,
          headers: response.headers,
        })
      })
    })
    sent.on('error', fail)
    sent.end(text)
  })
}

/** A quick sandbox in a directory of its own. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const dir = options.dir ?? temporaryDirectory()
  const sandbox = await startSandbox({ name: 'test', seed: 7, speed, ...options, dir })
  const agent = new Agent({ keepAlive: true })
  const call: TestSandbox['call'] = (method, path, body, headers) =>
    send(sandbox, method, path, body, headers, agent)
  return {
    ...sandbox,
    dir,
    call,
    async until(path, isWanted) {
      const endMs = Date.now() + 20_000
      for (;;) {
        const { body } = await call('GET', path)
        if (isWanted(body)) return body
        if (Date.now() > endMs)
          throw new Error(`Not as wanted after 20 s: ${path} is ${JSON.stringify(body).slice(0, 2000)}`)
        await new Promise(setImmediate)
      }
    },
    async remove() {
      await sandbox.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export const podsPath = '/api/v1/namespaces/default/pods'
export const deploymentsPath = '/apis/apps/v1/namespaces/default/deployments'

export function deployment(name: string, replicas = 1, image = 'nginx:1.29'): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image }] } },
    },
  }
}
