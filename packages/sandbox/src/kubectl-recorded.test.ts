import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, type Json } from './json.ts'
import {
  Borrowed,
  expectationOf,
  isWatch,
  type RecordedCommand,
  type RecordedRequest,
  type Recording,
} from './testing/recording.ts'
import { testSandbox, type StillSandbox } from './testing/test-sandbox.ts'

// Only tools/record-kubectl.ts writes the file.
const recordings = JSON.parse(
  readFileSync(join(import.meta.dirname, '../generated/kubectl-requests.json'), 'utf8'),
) as Recording[]

/** Longer than any pod of the recording takes to start, and any job to end. */
const betweenMs = 120_000
const stepMs = 1000
const steps = 120

type Watch = { code: number; type: string; line(): Promise<Json>; end(): void }

function watch(sandbox: StillSandbox, path: string, headers: Record<string, string>): Promise<Watch> {
  return new Promise((done, fail) => {
    const options = { ca: sandbox.caPem, agent: false as const, headers: { ...headers } }
    options.headers['authorization'] = `Bearer ${sandbox.adminToken}`
    const sent = request(new URL(path, sandbox.url), options, (reply: IncomingMessage) => {
      const lines = createInterface({ input: reply })[Symbol.asyncIterator]()
      reply.on('error', () => undefined)
      done({
        code: reply.statusCode ?? 0,
        type: reply.headers['content-type'] ?? '',
        line: async () => JSON.parse((await lines.next()).value ?? 'null'),
        end: () => sent.destroy(),
      })
    })
    sent.on('error', fail)
    sent.end()
  })
}

/** Sends what kubectl sent, in its order, and holds each reply against what kubectl got. */
class Replay {
  readonly #sandbox: StillSandbox
  readonly #borrowed = new Borrowed()

  constructor(sandbox: StillSandbox) {
    this.#sandbox = sandbox
  }

  async run({ requests }: RecordedCommand): Promise<void> {
    this.#sandbox.clock.advance(betweenMs)
    const watches: { watch: Watch; recorded: RecordedRequest }[] = []
    try {
      for (const recorded of requests) {
        if (isWatch(recorded.path)) watches.push({ watch: await this.#watch(recorded), recorded })
        else await this.#ask(recorded)
      }
      for (const { watch: one, recorded } of watches) {
        if (!recorded.event) continue
        const event = expectationOf(one.code, one.type, at(await one.line(), 'object'))
        expect({ ...event, path: recorded.path }).toEqual({ ...recorded.event, path: recorded.path })
      }
    } finally {
      for (const { watch: one } of watches) one.end()
    }
  }

  async #watch({ path, headers, expect: wanted }: RecordedRequest): Promise<Watch> {
    const opened = await watch(this.#sandbox, encodeURI(this.#borrowed.show(path)), headers)
    expect({ path, code: opened.code, type: opened.type }).toEqual({ path, ...wanted })
    return opened
  }

  async #ask({ method, path, headers, json, base64, expect: wanted }: RecordedRequest): Promise<void> {
    const url = encodeURI(this.#borrowed.show(path))
    const body =
      base64 === undefined
        ? json === undefined
          ? undefined
          : this.#borrowed.show(JSON.stringify(json))
        : Buffer.from(base64, 'base64')
    for (let step = 0; ; step++) {
      const reply = await this.#sandbox.call(method, url, body, headers)
      const found = expectationOf(reply.code, String(reply.headers['content-type'] ?? ''), reply.body)
      // Kubectl asks until a thing is gone, and so does this.
      if (method === 'GET' && wanted.code === 404 && reply.code === 200 && step < steps) {
        this.#sandbox.clock.advance(stepMs)
        continue
      }
      expect({ request: `${method} ${path}`, ...found }).toEqual({ request: `${method} ${path}`, ...wanted })
      this.#borrowed.learn(method, url, reply.body)
      return
    }
  }
}

describe.each(recordings)('the recorded requests of kubectl $version', ({ commands }) => {
  let sandbox: StillSandbox
  let replay: Replay

  beforeAll(async () => {
    sandbox = await testSandbox()
    replay = new Replay(sandbox)
  })
  afterAll(() => sandbox.remove())

  test.each(commands)('$line', async (command) => {
    await replay.run(command)
  })
})
