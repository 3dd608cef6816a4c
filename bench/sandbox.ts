import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get, request, Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'
import { report } from './figure.ts'

const nodes = 1000
const pods = 10_000
const watchers = 1000
const flags = ['--max-semi-space-size=4', '--heap-growing-percent=20']

/** A sandbox in a process of its own, with the flags that the product gives it. */
type Sandbox = { url: string; caPem: string; adminToken: string; pid: number; stop(): Promise<void> }

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

function options(sandbox: Sandbox) {
  return {
    ca: sandbox.caPem,
    agent,
    headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
  }
}

function send(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<string> {
  return new Promise((done, fail) => {
    const sent = request(new URL(path, sandbox.url), { ...options(sandbox), method }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => done(Buffer.concat(parts).toString()))
    })
    sent.on('error', fail)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Reads an answer to its end and throws the bytes away. Returns how many there were. */
function read(sandbox: Sandbox, path: string): Promise<number> {
  return new Promise((done, fail) => {
    const sent = get(new URL(path, sandbox.url), options(sandbox), (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.on('end', () => done(bytes))
      response.on('error', fail)
    })
    sent.on('error', fail)
  })
}

/** Resident memory. */
function memoryMb({ pid }: Sandbox): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1000)
}

function start(dir: string): Promise<Sandbox> {
  const main = join(root, 'packages/sandbox/src/main.js')
  const child = spawn(process.execPath, [...flags, main, '--dir', dir, '--name', 'bench', '--nodes', '[]'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`The sandbox ended with ${code}.`)))
    child.stdout.once('data', (line: Buffer) => {
      const { url, pid }: { url: string; pid: number } = JSON.parse(line.toString())
      const identity: { caPem: string; adminToken: string } = JSON.parse(
        readFileSync(join(dir, 'identity.json'), 'utf8'),
      )
      const stop = () => {
        child.kill('SIGTERM')
        return gone
      }
      done({ ...identity, url, pid, stop })
    })
  })
}

const scaleCause = 'each pod is placed, started and made ready by writes of its own'
const watchCause = 'watchers are written to one after the other over TLS, and read by one process here'
const startCause = 'Node starts, loads the code and reads back the objects that were kept'

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

async function readyPods(sandbox: Sandbox): Promise<number> {
  const list: { items: { status?: { readyReplicas?: number } }[] } = JSON.parse(
    await send(sandbox, 'GET', '/apis/apps/v1/deployments'),
  )
  return list.items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0)
}

/** Plays the scenario `scale`: a thousand machines and ten thousand pods. */
async function benchScale(sandbox: Sandbox): Promise<void> {
  const startMs = performance.now()
  await send(sandbox, 'POST', '/sandbox/v1/scenario', { name: 'scale' })
  while ((await readyPods(sandbox)) < pods) await new Promise((done) => setTimeout(done, 200))
  const readyMs = performance.now() - startMs
  const name = `${nodes} nodes joined, ${pods} pods scheduled and ready`
  report({ name, value: readyMs, unit: 'ms', goal: 60_000, cause: scaleCause })
  const memory = memoryMb(sandbox)
  report({
    name: 'memory with them',
    value: memory,
    unit: 'MB',
    goal: 600,
    cause: `${((memory / (nodes + pods)) * 1024).toFixed(0)} KB for each node and pod, the process included`,
  })
}

/**
 * From sending the request to the last byte of the answer over TLS, without making text or objects of it, against
 * JSON.stringify of the same list in this process; both turn about, and the median of each.
 */
async function benchList(sandbox: Sandbox): Promise<void> {
  const list: unknown = JSON.parse(await send(sandbox, 'GET', '/api/v1/pods'))
  const times = { request: [] as number[], stringify: [] as number[] }
  let bytes = 0
  for (let i = 0; i < 15; i++) {
    let startMs = performance.now()
    bytes = await read(sandbox, '/api/v1/pods')
    times.request.push(performance.now() - startMs)
    startMs = performance.now()
    JSON.stringify(list)
    times.stringify.push(performance.now() - startMs)
  }
  const ratio = median(times.request) / median(times.stringify)
  report({
    name: `LIST of ${pods} pods over TLS against JSON.stringify`,
    value: ratio,
    unit: '×',
    goal: 1.5,
    cause: 'the answer is encrypted and sent by the process that the whole sandbox runs in',
    detail: `${median(times.request).toFixed(0)} ms for ${Math.round(bytes / 1e6)} MB`,
  })
}

async function benchWatch(sandbox: Sandbox): Promise<void> {
  const heard: number[] = []
  let sentMs = 0
  let isDone: () => void = () => undefined
  const done = new Promise<void>((resolve) => (isDone = resolve))
  const version: { metadata: { resourceVersion: string } } = JSON.parse(
    await send(sandbox, 'GET', '/api/v1/namespaces/default/configmaps'),
  )
  const path = `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${version.metadata.resourceVersion}`
  const open = Array.from(
    { length: watchers },
    () =>
      new Promise<() => void>((resolve, fail) => {
        const sent = get(new URL(path, sandbox.url), options(sandbox), (response) => {
          response.on('data', () => {
            heard.push(performance.now() - sentMs)
            if (heard.length === watchers) isDone()
          })
          response.on('error', () => undefined)
          resolve(() => sent.destroy())
        })
        sent.on('error', fail)
      }),
  )
  const closers = await Promise.all(open)
  sentMs = performance.now()
  await send(sandbox, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'news' } })
  await done
  const p95 = heard.toSorted((a, b) => a - b)[Math.floor(watchers * 0.95)] ?? 0
  report({
    name: `${watchers} watchers hear of one event, p95`,
    value: p95,
    unit: 'ms',
    goal: 200,
    cause: watchCause,
  })
  for (const close of closers) close()
}

/** Prints how the sandbox keeps its bounds: start, scale, LIST, watch, restart. */
export async function run(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
  let startMs = performance.now()
  let sandbox = await start(dir)
  const firstMs = performance.now() - startMs
  report({
    name: 'process and sandbox start from nothing',
    value: firstMs,
    unit: 'ms',
    goal: 1_000,
    cause: startCause,
  })
  await benchScale(sandbox)
  await benchList(sandbox)
  await benchWatch(sandbox)
  await sandbox.stop()
  const restarts: number[] = []
  for (let i = 0; i < 3; i++) {
    startMs = performance.now()
    sandbox = await start(dir)
    restarts.push(performance.now() - startMs)
    await sandbox.stop()
  }
  const name = `process and sandbox start with ${pods} pods of state`
  report({ name, value: median(restarts), unit: 'ms', goal: 2_000, cause: startCause, detail: 'median of 3' })
  agent.destroy()
  rmSync(dir, { recursive: true, force: true })
}
