import { Worker } from 'node:worker_threads'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'

type ScriptFetch = (asked: {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}) => Promise<{ status: number; headers: Record<string, string>; text: string }>

export type ScriptRun = {
  code: string
  input: unknown
  limits: { memoryMb: number; cpuMs: number; timeoutMs: number }
  signal: AbortSignal
  log(message: string, level: 'info' | 'warning' | 'error'): void
  /** Without it the script has no `fetch`. */
  fetch?: ScriptFetch
}

export const scriptLimits = {
  /** As many as wait to be written of any step. */
  logLines: 100_000,
  logLineChars: 4_000,
  /** Requests of one script, and of those how many at once. */
  fetches: 100,
  fetchesAtOnce: 10,
  fetchTimeoutMs: 30_000,
  /** Scripts of this process at once; others wait for their turn. */
  atOnce: 4,
} as const

/** What the worker says; `log` and `fetch` may come often. */
export type ScriptMessage =
  | { kind: 'log'; level: 'info' | 'warning' | 'error'; message: string }
  | { kind: 'fetch'; id: number; method: string; url: string; headers: Record<string, string>; body?: string }
  | { kind: 'result'; json: string }
  | { kind: 'failure'; message: string }

export type ScriptOrder = {
  code: string
  inputJson: string
  memoryBytes: number
  cpuMs: number
  hasFetch: boolean
}

export type FetchAnswer = { id: number; reply?: object; error?: string }

let running = 0
const turns: (() => void)[] = []

/**
 * Runs JavaScript in QuickJS (WebAssembly) within a worker thread of its own, which ends with it. Throws StepFailure
 * with what the script threw, or which limit it reached.
 */
export async function runScript(run: ScriptRun): Promise<unknown> {
  if (running >= scriptLimits.atOnce) await new Promise<void>((resolve) => turns.push(resolve))
  else running += 1
  try {
    run.signal.throwIfAborted()
    return await runInWorker(run)
  } finally {
    const next = turns.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

async function runInWorker(run: ScriptRun): Promise<unknown> {
  const { code, input, limits, signal } = run
  const order: ScriptOrder = {
    code,
    inputJson: JSON.stringify(input),
    memoryBytes: limits.memoryMb * 1_048_576,
    cpuMs: limits.cpuMs,
    hasFetch: run.fetch !== undefined,
  }
  // The memory of WebAssembly lies outside of the heap; the worker's own needs are small.
  const worker = new Worker(new URL('./script-worker.ts', import.meta.url), {
    workerData: order,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    stdout: false,
    stderr: false,
  })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const timer = setTimeout(
    () =>
      reject(new StepFailure(`The script did not end within ${limits.timeoutMs} ms.`, { reason: 'timeout' })),
    limits.timeoutMs,
  )
  const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
  signal.addEventListener('abort', abort, { once: true })
  const receive = messageReceiver(run, worker)
  worker.on('message', (message: ScriptMessage) => {
    if (message.kind === 'result') resolve(JSON.parse(message.json))
    else if (message.kind === 'failure') reject(new StepFailure(message.message))
    else receive(message)
  })
  worker.on('error', (error) =>
    reject(new StepFailure('The script took more memory than it may have.', { cause: error })),
  )
  worker.on('exit', () => reject(new StepFailure('The script waits for something that never happens.')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

/** Writes log lines and answers requests, each within its limit. */
function messageReceiver(run: ScriptRun, worker: Worker) {
  let lines = 0
  let fetches = 0
  let open = 0
  return (message: Extract<ScriptMessage, { kind: 'log' | 'fetch' }>) => {
    if (message.kind === 'log') {
      lines += 1
      if (lines === scriptLimits.logLines + 1) run.log('Too many lines: the rest is left out.', 'warning')
      if (lines <= scriptLimits.logLines) {
        run.log(message.message.slice(0, scriptLimits.logLineChars), message.level)
      }
      return
    }
    const { id, kind: _kind, ...asked } = message
    const answer = (reply: Omit<FetchAnswer, 'id'>) => worker.postMessage({ id, ...reply })
    fetches += 1
    if (run.fetch === undefined) return answer({ error: 'This script may not use fetch.' })
    if (fetches > scriptLimits.fetches) {
      return answer({ error: `A script may send ${scriptLimits.fetches} requests.` })
    }
    if (open >= scriptLimits.fetchesAtOnce) {
      return answer({ error: `A script may send ${scriptLimits.fetchesAtOnce} requests at once.` })
    }
    open += 1
    void run
      .fetch(asked)
      .then((reply) => answer({ reply }))
      .catch((error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }))
      .finally(() => {
        open -= 1
      })
  }
}
