import { parentPort, workerData } from 'node:worker_threads'

import { getQuickJS, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from 'quickjs-emscripten'

import type { FetchAnswer, ScriptMessage, ScriptOrder } from './run-script.ts'

// Given by runScript alone.
const order = workerData as ScriptOrder
const maxStackBytes = 512 * 1_024
/** As JSON; a step gives back less than 1 MB anyway. */
const maxResultChars = 1_048_576

/**
 * What the script sees beside the language itself. Messages of the engine quote the place of a text that is not JSON or
 * no code, and such a text may be a secret: JSON.parse has a message of its own, and texts are not evaluated as code.
 */
const prelude = `
{
  const parse = JSON.parse
  JSON.parse = (text, reviver) => {
    try { return parse(text, reviver) } catch (error) {
      if (error instanceof SyntaxError) throw new SyntaxError('The text is not JSON.')
      throw error
    }
  }
  const refuse = function () { throw new EvalError('A script cannot evaluate a text as code.') }
  globalThis.eval = refuse
  for (const made of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(made)
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false })
  }
  refuse.prototype = Function.prototype
  globalThis.Function = refuse
}
globalThis.console = (() => {
  const text = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return String(value)
    try { return JSON.stringify(value) ?? String(value) } catch { return String(value) }
  }
  const write = (level) => (...values) => __log(level, values.map(text).join(' ').slice(0, 10000))
  return { log: write('info'), info: write('info'), debug: write('info'), warn: write('warning'), error: write('error') }
})()
if (typeof __fetch === 'function') globalThis.fetch = async (url, options = {}) => {
  const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name, String(value)]))
  const body = options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body)
  const reply = JSON.parse(await __fetch(JSON.stringify({ method: options.method ?? 'GET', url: String(url), headers, body })))
  return {
    status: reply.status,
    ok: reply.status >= 200 && reply.status < 300,
    headers: { get: (name) => reply.headers[String(name).toLowerCase()] ?? null },
    text: async () => reply.text,
    json: async () => JSON.parse(reply.text),
  }
}
`

function say(message: ScriptMessage): void {
  parentPort?.postMessage(message)
}

let usedMs = 0
let sliceStartedAt = 0
let hasUsedUp = false

/** Counts the time in which the script computes; waiting for an answer is not counted. */
function timed<T>(work: () => T): T {
  sliceStartedAt = performance.now()
  try {
    return work()
  } finally {
    usedMs += performance.now() - sliceStartedAt
  }
}

async function main(): Promise<void> {
  const library = await getQuickJS()
  const runtime = library.newRuntime()
  runtime.setMemoryLimit(order.memoryBytes)
  runtime.setMaxStackSize(maxStackBytes)
  runtime.setInterruptHandler(() => {
    hasUsedUp ||= usedMs + (performance.now() - sliceStartedAt) > order.cpuMs
    return hasUsedUp
  })
  const context = runtime.newContext()
  provide(context, runtime)
  const ready = timed(() => context.evalCode(prelude, 'prelude.js'))
  if (ready.error) return fail(context, ready.error)
  ready.value.dispose()
  const source = `globalThis.input = JSON.parse(${JSON.stringify(order.inputJson)});
;(async () => {
"use strict";
${order.code}
})().then((value) => JSON.stringify(value === undefined ? null : value) ?? 'null')`
  const started = timed(() => context.evalCode(source, 'script.js'))
  if (started.error) return fail(context, started.error)
  const settled = context.resolvePromise(started.value)
  runJobs(context, runtime)
  const result = await settled
  if (result.error) return fail(context, result.error)
  const json = context.getString(result.value)
  if (json.length > maxResultChars) {
    return say({ kind: 'failure', message: 'The result of the script is larger than 1 MB.' })
  }
  say({ kind: 'result', json })
}

function provide(context: QuickJSContext, runtime: QuickJSRuntime): void {
  set(context, '__log', (level, message) => {
    const text = context.getString(level)
    const known = text === 'warning' || text === 'error' ? text : 'info'
    say({ kind: 'log', level: known, message: context.getString(message) })
    return context.undefined
  })
  if (!order.hasFetch) return
  const waiting = new Map<number, ReturnType<QuickJSContext['newPromise']>>()
  let last = 0
  set(context, '__fetch', (asked) => {
    last += 1
    const deferred = context.newPromise()
    waiting.set(last, deferred)
    // Written by the prelude.
    const request = JSON.parse(context.getString(asked)) as {
      method: string
      url: string
      headers: Record<string, string>
      body?: string
    }
    say({ kind: 'fetch', id: last, ...request })
    return deferred.handle
  })
  parentPort?.on('message', ({ id, reply, error }: FetchAnswer) => {
    const deferred = waiting.get(id)
    waiting.delete(id)
    if (deferred === undefined) return
    if (error === undefined) {
      context.newString(JSON.stringify(reply)).consume((handle) => deferred.resolve(handle))
    } else context.newError(error).consume((handle) => deferred.reject(handle))
    runJobs(context, runtime)
  })
}

function set(
  context: QuickJSContext,
  name: string,
  work: (...given: QuickJSHandle[]) => QuickJSHandle,
): void {
  context.newFunction(name, work).consume((handle) => context.setProp(context.global, name, handle))
}

/** Promises within QuickJS go on only when they are run. */
function runJobs(context: QuickJSContext, runtime: QuickJSRuntime): void {
  const done = timed(() => runtime.executePendingJobs())
  if (done.error) fail(context, done.error)
}

function fail(context: QuickJSContext, error: QuickJSHandle): void {
  if (hasUsedUp) {
    return say({ kind: 'failure', message: `The script computes for longer than ${order.cpuMs} ms.` })
  }
  const thrown: unknown = context.dump(error)
  say({ kind: 'failure', message: messageOf(thrown) })
}

/** Lines of code that stand before the first one of the script in what is evaluated. */
const linesBefore = 3

function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `The script threw ${String(thrown)}`
  const {
    name = 'Error',
    message = '',
    stack = '',
  } = thrown as {
    name?: string
    message?: string
    stack?: string
  }
  if (name === 'InternalError' && /out of memory/.test(message)) {
    return 'The script takes more memory than it may have.'
  }
  if (name === 'InternalError' && /stack/.test(message)) return 'The script calls itself too deeply.'
  const line = Number(/script\.js:(\d+)/.exec(stack)?.[1] ?? 0) - linesBefore
  return `${name}: ${message}${line > 0 ? ` (line ${line})` : ''}`
}

main().catch((error: unknown) => {
  say({ kind: 'failure', message: error instanceof Error ? messageOf(error) : 'The script failed.' })
})
