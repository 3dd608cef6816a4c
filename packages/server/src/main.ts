import type { App } from './app.ts'
import { readConfig } from './config.ts'
import { diskIsFull, isFull } from './platform/disk-full.ts'
import { ConfigError } from './platform/errors.ts'
import { createLog, type Log } from './platform/log.ts'
import { releaseMemory } from './platform/release-memory.ts'
import './platform/resolve-once.ts'

const config = readConfiguration()
const log = createLog({ level: config.logLevel, isPretty: process.stdout.isTTY === true })
let app: App | undefined
let isStopping = false
let stoppingSinceMs = 0
/** Ctrl+C reaches the server from the terminal and again from each program that started it. */
const oneKeystrokeMs = 1_000
/** After it, the work of the start is done: rounds have begun and what they load is loaded. */
const settledMs = 3_000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal, 0))
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'Unexpected error; the server stops')
  void stop('uncaughtException', 1)
})

try {
  // Loaded late, so that an invalid setting is reported and a signal is handled within the first second.
  const { createApp } = await import('./app.ts')
  app = await createApp(config, log)
} catch (error) {
  refuse(error, log)
}
if (isStopping) await shutDown(0)
else {
  process.stdout.write(`Bey listens on ${app?.address ?? ''}\n`)
  setTimeout(releaseMemory, settledMs).unref()
  if (app?.demoAddress !== undefined) process.stdout.write(`The demo, for you and once: ${app.demoAddress}\n`)
}

function readConfiguration() {
  try {
    return readConfig(process.env)
  } catch (error) {
    refuse(error, undefined)
  }
}

/** A start that cannot be: one sentence where a setting is to blame. */
function refuse(error: unknown, to: Log | undefined): never {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else if (isFull(error)) process.stderr.write(`${diskIsFull}\n`)
  else if (to) to.fatal({ err: error }, 'The server cannot start')
  else throw error
  process.exit(1)
}

async function stop(reason: string, exitCode: number): Promise<void> {
  if (isStopping && exitCode === 0 && performance.now() - stoppingSinceMs < oneKeystrokeMs) return
  // A second signal ends the process at once.
  if (isStopping) process.exit(exitCode === 0 ? 130 : exitCode)
  isStopping = true
  stoppingSinceMs = performance.now()
  log.info({ reason }, 'Stopping')
  // Still opening: the start ends by itself and then stops.
  if (app) await shutDown(exitCode)
}

async function shutDown(exitCode: number): Promise<void> {
  await app?.stop()
  process.exit(exitCode)
}
