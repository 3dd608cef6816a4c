import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type JsonObject } from '../json.ts'
import { manualClock, type ManualClock } from '../manual-clock.ts'
import { startSandbox, type Sandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../options.ts'

/** Where real programs take part, simulated seconds pass this much faster than theirs. */
const liveSpeed = 100
const stepMs = 500
const patienceMs = 30 * 60_000

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
  /** Asks again until the answer is as wanted, letting time pass; fails with the last answer. */
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

/** A sandbox with the clock that moves it. */
export type StillSandbox = TestSandbox & { clock: ManualClock }

type Passing = {
  /** Called after every request: lets what follows from it happen. */
  settle(): void
  /** Lets some time pass. Answers false when there has been enough of it. */
  pass(): boolean | Promise<boolean>
}

async function prepared(options: Partial<SandboxOptions>, passing: () => Passing): Promise<TestSandbox> {
  const dir = options.dir ?? temporaryDirectory()
  const sandbox = await startSandbox({ name: 'test', seed: 7, ...options, dir })
  const agent = new Agent({ keepAlive: true })
  const call: TestSandbox['call'] = async (method, path, body, headers) => {
    const reply = await send(sandbox, method, path, body, headers, agent)
    passing().settle()
    return reply
  }
  return {
    ...sandbox,
    dir,
    call,
    async until(path, isWanted) {
      const { pass } = passing()
      for (;;) {
        const { body } = await call('GET', path)
        if (isWanted(body)) return body
        if (!(await pass()))
          throw new Error(`Not as wanted: ${path} is ${JSON.stringify(body).slice(0, 2000)}`)
      }
    },
    async remove() {
      await sandbox.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A sandbox in a directory of its own whose time stands still, save in `until` and where the test moves it. */
export async function testSandbox(
  options: Partial<SandboxOptions> & { clock?: ManualClock } = {},
): Promise<StillSandbox> {
  const { clock = manualClock() } = options
  const sandbox = await prepared({ ...options, clock }, () => {
    const endMs = clock.now() + patienceMs
    return {
      settle: () => clock.settle(),
      pass() {
        clock.advance(stepMs)
        return clock.now() < endMs
      },
    }
  })
  clock.settle()
  return { ...sandbox, clock }
}

/** A sandbox for programs that live in real time; its own goes a hundred times faster. */
export function liveSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  return prepared({ speed: liveSpeed, ...options }, () => {
    const endMs = Date.now() + 20_000
    return {
      settle: () => undefined,
      async pass() {
        await new Promise(setImmediate)
        return Date.now() < endMs
      },
    }
  })
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
