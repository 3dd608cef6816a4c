import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { execPath, kill } from 'node:process'

import type { Clock } from '../../platform/clock.ts'
import { isAlive, processState } from '../../platform/liveness.ts'
import type { ChildUser } from './child-user.ts'

const pollMs = 25
const startTimeoutMs = 30_000
const maxOutputBytes = 64 * 1024

/** What a sandbox says of itself once it answers. */
export type ReadyLine = { url: string; pid: number; kubeconfigPath: string }

export type ChildFiles = {
  /** Receives the ready line; appended to, so that a line is never lost to a second start. */
  out: string
  /** Why it did not start or ended. */
  err: string
  /** Why it does not run, kept for the next start. */
  end: string
  /** Process id of the last start and when it began. */
  pid: string
  /** The same, written by the sandbox itself once the directory is its own: this server may die before it writes. */
  lock: string
}

/** A heap that is collected before it has grown by a fifth: with 10,000 pods 387 MB instead of 558. */
const memoryFlags = ['--max-semi-space-size=4', '--heap-growing-percent=20']

export type ChildStart = {
  mainPath: string
  /** Becomes the working directory: a user who may not enter the folders above it can work in it all the same. */
  dir: string
  args: string[]
  files: ChildFiles
  /** Mebibytes of JavaScript objects at which the process gives up. */
  maxHeapMib: number
  user: ChildUser | undefined
}

/**
 * Starts a sandbox that outlives this process and writes to files only: a pipe would break with its reader. It
 * inherits nothing of the server's environment, which holds its keys.
 */
export async function startChild(start: ChildStart): Promise<ChildProcess> {
  const { files, user } = start
  const out = openSync(files.out, 'a', 0o600)
  const err = openSync(files.err, 'w', 0o600)
  try {
    const flags = [...memoryFlags, `--max-old-space-size=${start.maxHeapMib}`]
    const child = spawn(
      execPath,
      [...flags, '--disable-warning=ExperimentalWarning', start.mainPath, '--dir', '.', ...start.args],
      {
        cwd: start.dir,
        env: { NODE_ENV: 'production' },
        detached: true,
        stdio: ['ignore', out, err],
        ...user,
      },
    )
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    await rm(files.pid, { force: true })
    await appendFile(files.pid, `${child.pid} ${startOf(child.pid ?? 0)}\n`, { mode: 0o600 })
    return child
  } finally {
    closeSync(out)
    closeSync(err)
  }
}

/** Waits for the ready line of this process. Throws with the process's own last words when it ends before. */
export async function whenReady(
  pid: number,
  files: ChildFiles,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<ReadyLine> {
  const deadline = clock.monotonicMs() + startTimeoutMs
  for (;;) {
    const ready = await readReady(files, pid)
    if (ready !== undefined) return ready
    signal?.throwIfAborted()
    if (!isAlive(pid)) throw new Error((await lastLine(files)) || 'Its process ended without a word.')
    if (clock.monotonicMs() > deadline) {
      throw new Error(`Its process ${pid} did not answer within ${startTimeoutMs / 1000} s.`)
    }
    await new Promise<void>((resolve) => clock.setTimeout(resolve, pollMs))
  }
}

/** The last ready line of that process. */
export async function readReady(files: ChildFiles, pid: number): Promise<ReadyLine | undefined> {
  const text = await readIfThere(files.out)
  for (const line of text.split('\n').reverse()) {
    const parsed = parseLine(line)
    if (parsed?.pid === pid) return parsed
  }
  return undefined
}

/** The process of the last start if it still lives, whether or not the server that started it could note it. */
export async function runningPid(files: ChildFiles): Promise<number | undefined> {
  return (await runningPidIn(files.pid)) ?? runningPidIn(files.lock)
}

/** The process that a file names, unless it is gone or another one with the same number. */
async function runningPidIn(path: string): Promise<number | undefined> {
  const [pidText = '', started = '-'] = (await readIfThere(path)).trim().split(' ')
  const pid = Number(pidText)
  if (!(pid > 0) || !isAlive(pid)) return undefined
  return startOf(pid) === started ? pid : undefined
}

/** What the process of the last start wrote to its error output. */
export async function lastOutput(files: ChildFiles): Promise<string> {
  const text = await readIfThere(files.err)
  return text.slice(-maxOutputBytes)
}

async function lastLine(files: ChildFiles): Promise<string> {
  const lines = (await lastOutput(files))
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.at(-1)?.slice(0, 500) ?? ''
}

/** Asks a process to end, and makes it after `graceMs`; answers once it is gone. */
export async function endProcess(
  pid: number,
  graceMs: number,
  clock: Clock,
): Promise<'asked' | 'forced' | 'gone'> {
  if (!send(pid, 'SIGTERM')) return 'gone'
  const deadline = clock.monotonicMs() + graceMs
  while (isAlive(pid)) {
    if (clock.monotonicMs() > deadline) {
      send(pid, 'SIGKILL')
      while (isAlive(pid)) await pause(clock)
      return 'forced'
    }
    await pause(clock)
  }
  return 'asked'
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.setTimeout(resolve, pollMs))
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    kill(pid, signal)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

function parseLine(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const { event, url, pid, kubeconfigPath } = parsed as Record<string, unknown>
    if (event !== 'ready' || typeof url !== 'string' || typeof pid !== 'number') return undefined
    return typeof kubeconfigPath === 'string' ? { url, pid, kubeconfigPath } : undefined
  } catch (error) {
    // Half a line: still being written.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** When a process began, in ticks since boot; '-' where there is no /proc. */
function startOf(pid: number): string {
  return processState(pid)?.startTicks || '-'
}

async function readIfThere(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
