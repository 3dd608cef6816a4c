/**
 * Writes `generated/kubectl-requests.json`: what the oldest and the newest kubectl of this machine send for the
 * everyday commands, and what of the replies they build on. Nothing of this machine is in it: no host, token, time,
 * uid or resource version. Run: `node packages/sandbox/tools/record-kubectl.ts`.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { at, type Json, textAt } from '../src/json.ts'
import { findKubectls, KubectlRunner, type Kubectl } from '../src/testing/kubectl.ts'
import { liveSandbox, type TestSandbox } from '../src/testing/test-sandbox.ts'
import {
  Borrowed,
  expectationOf,
  isWatch,
  type RecordedCommand,
  type RecordedRequest,
  type Recording,
} from '../src/testing/recording.ts'
import { commands, files } from './kubectl-commands.ts'

const kept = ['accept', 'content-type', 'impersonate-user', 'impersonate-group']
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const someTime = '2025-01-01T00:00:00Z'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Logs, metrics and protobuf are not JSON.
    void error
    return undefined
  }
}

type Tap = {
  server: Server
  /** Answers what has been sent since it was last asked. */
  take(): RecordedRequest[]
  /** Resolves when a watch hears of something. */
  heard(): Promise<void>
}

/** Stands between kubectl and the sandbox, and notes what passes. */
function tapOf(sandbox: TestSandbox): Tap {
  const identity: unknown = parsed(readFileSync(join(sandbox.dir, 'identity.json'), 'utf8'))
  const borrowed = new Borrowed()
  let requests: RecordedRequest[] = []
  let onHeard: () => void = () => undefined

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(Buffer.from(part))
    const body = Buffer.concat(parts)
    const { method = 'GET', url = '/' } = incoming
    const entry: RecordedRequest = {
      method,
      path: borrowed.hide(decodeURIComponent(url)),
      headers: Object.fromEntries(
        kept.flatMap((name) => (incoming.headers[name] ? [[name, String(incoming.headers[name])]] : [])),
      ),
      ...bodyOf(body, borrowed),
      expect: { code: 0, type: '' },
    }
    requests.push(entry)
    // Replies come whole and plain, so that a replay without kubectl's cache gets the same.
    const headers = { ...incoming.headers }
    delete headers['accept-encoding']
    delete headers['if-none-match']
    const sent = request(new URL(url, sandbox.url), { method, headers, ca: sandbox.caPem })
    sent.on('response', (reply: IncomingMessage) => {
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers)
      outgoing.flushHeaders()
      const code = reply.statusCode ?? 0
      const type = reply.headers['content-type'] ?? ''
      entry.expect = { code, type }
      let text = ''
      reply.on('data', (part: Buffer) => {
        text += part.toString()
        if (isWatch(url) && text.includes('\n')) {
          entry.event ??= expectationOf(code, type, at(asJson(text.split('\n')[0] ?? ''), 'object'))
          onHeard()
        }
        outgoing.write(part)
      })
      reply.on('end', () => {
        const json = isWatch(url) ? undefined : parsed(text)
        entry.expect = expectationOf(code, type, json)
        borrowed.learn(method, url, json)
        outgoing.end()
      })
    })
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    sent.end(body)
  }

  const server = createServer(
    { cert: textAt(identity, 'certificatePem'), key: textAt(identity, 'keyPem') },
    (incoming, outgoing) => void pass(incoming, outgoing),
  )
  return {
    server,
    take() {
      const taken = requests
      requests = []
      return taken
    },
    heard: () => new Promise((done) => (onHeard = done)),
  }
}

// Only what JSON.parse answers comes in.
function asJson(text: string): Json | undefined {
  return parsed(text) as Json | undefined
}

function bodyOf(body: Buffer, borrowed: Borrowed): Pick<RecordedRequest, 'json' | 'base64'> {
  if (body.length === 0) return {}
  const text = borrowed.hide(JSON.stringify(parsed(body.toString())) ?? '').replaceAll(times, someTime)
  return text === '' ? { base64: body.toString('base64') } : { json: asJson(text) }
}

/** Questions asked again until the answer changes count once, with the last answer. */
function withoutRepeats(requests: RecordedRequest[]): RecordedRequest[] {
  const key = ({ method, path, json }: RecordedRequest) => JSON.stringify([method, path, json])
  return requests.filter((one, index) => {
    const next = requests[index + 1]
    return !(one.method === 'GET' && next && key(one) === key(next))
  })
}

async function runLine(runner: KubectlRunner, tap: Tap, line: string, dir: string): Promise<RecordedCommand> {
  const isRefused = line.startsWith('!')
  const shown = line.replace('!', '')
  const [first = '', meanwhile] = shown.replaceAll(/(\S+\.json)/g, join(dir, '$1')).split(' & ')
  if (meanwhile) {
    const heard = tap.heard()
    // The list is printed before the watch begins; starting kubectl takes longer than that.
    await runner.until(first, /NAME/, async () => {
      await runner.run(meanwhile)
      await heard
    })
  } else {
    const { code, out } = await runner.run(first)
    if ((code !== 0) !== isRefused) throw new Error(`kubectl ${line} ended with ${code}: ${out}`)
  }
  const requests = withoutRepeats(tap.take())
  for (const one of requests) if (!meanwhile) delete one.event
  return { line: `kubectl ${shown}`, requests }
}

async function record(kubectl: Kubectl): Promise<Recording> {
  const sandbox = await liveSandbox()
  const tap = tapOf(sandbox)
  try {
    tap.server.listen(0, '127.0.0.1')
    await once(tap.server, 'listening')
    const address = tap.server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const config = join(sandbox.dir, 'kubeconfig')
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(/server: .*/, `server: https://127.0.0.1:${port}`),
    )
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(sandbox.dir, name), JSON.stringify(content))
    const runner = new KubectlRunner(kubectl, sandbox.dir)
    const recorded: RecordedCommand[] = []
    for (const line of commands) recorded.push(await runLine(runner, tap, line, sandbox.dir))
    return { version: kubectl.version, commands: recorded }
  } finally {
    tap.server.close()
    tap.server.closeAllConnections()
    await sandbox.remove()
  }
}

const all = findKubectls()
const recordings: Recording[] = []
for (const kubectl of new Set([all.at(0), all.at(-1)])) if (kubectl) recordings.push(await record(kubectl))
if (recordings.length === 0) throw new Error('There is no kubectl here to record.')
const lines = recordings.map(({ version, commands: made }) => {
  const rows = made.map(
    ({ line, requests }) =>
      `    {"line":${JSON.stringify(line)},"requests":[\n${requests.map((one) => `      ${JSON.stringify(one)}`).join(',\n')}\n    ]}`,
  )
  return `  {"version":"${version}","commands":[\n${rows.join(',\n')}\n  ]}`
})
writeFileSync(join(import.meta.dirname, '../generated/kubectl-requests.json'), `[\n${lines.join(',\n')}\n]\n`)
