import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

const restartMs = 200

/** Worker processes of the product, of which some die and others take their place. */
export function workerProcesses(env: Record<string, string>) {
  const living = new Set<ChildProcess>()
  const ready = new Set<ChildProcess>()
  let onReady: (() => void)[] = []
  /** Told to end, and not gone yet. */
  const leaving = new Set<ChildProcess>()
  /** Of each process. A directory is what makes a machine: the sandboxes in it go on under the process that takes its place. */
  const dirs = new Map<ChildProcess, string>()
  const allDirs: string[] = []
  let isClosing = false

  async function start(kept?: string): Promise<void> {
    const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'bey-chaos-worker-')))
    if (kept === undefined) allDirs.push(dataDir)
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        BEY_ROLE: 'worker',
        BEY_DRAIN_SECONDS: '5',
        PORT: '0',
        BEY_DATA_DIR: dataDir,
        LOG_LEVEL: 'fatal',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    dirs.set(child, dataDir)
    living.add(child)
    // It says where it listens, once it executes runs.
    child.stdout?.once('data', () => {
      if (!living.has(child)) return
      ready.add(child)
      for (const resolve of onReady) resolve()
      onReady = []
    })
    child.once('exit', () => {
      ready.delete(child)
      // It was not asked to: as a supervisor of processes does, for a start fails while there is no database.
      if (living.delete(child) && !isClosing) setTimeout(() => void start(dataDir), restartMs)
    })
  }

  /** Ends one that executes runs, the oldest first, and lets another take its place. */
  async function replace(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const [oldest] = ready
    if (oldest === undefined) return
    ready.delete(oldest)
    living.delete(oldest)
    leaving.add(oldest)
    oldest.once('exit', () => {
      leaving.delete(oldest)
      // One process at a time has a directory.
      if (!isClosing) void start(dirs.get(oldest))
    })
    oldest.kill(signal)
  }

  return {
    start: () => start(),
    replace,
    /** Resolves when at least one executes runs. */
    async oneReady(): Promise<void> {
      while (ready.size === 0) await new Promise<void>((resolve) => onReady.push(resolve))
    },
    async close(): Promise<void> {
      isClosing = true
      const all = [...living, ...leaving]
      const gone = all.map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of all) child.kill('SIGKILL')
      await Promise.all(gone)
      await Promise.all(allDirs.map((dir) => rm(dir, { recursive: true, force: true, maxRetries: 3 })))
    },
  }
}
