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
  const dirs: string[] = []
  let isClosing = false

  async function start(): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'bey-chaos-worker-'))
    dirs.push(dataDir)
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      env: {
        PATH: process.env['PATH'],
        BEY_ROLE: 'worker',
        BEY_DRAIN_SECONDS: '5',
        PORT: '0',
        BEY_DATA_DIR: dataDir,
        LOG_LEVEL: 'fatal',
        ...env,
      },
      stdio: 'ignore',
    })
    living.add(child)
    child.once('exit', () => {
      // It was not told to: as whoever supervises processes does, for a start fails while there is no database.
      if (living.delete(child) && !isClosing) setTimeout(() => void start(), restartMs)
    })
  }

  /** Ends one of them, the oldest first, and starts another at once. */
  async function replace(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const [oldest] = living
    oldest?.kill(signal)
    if (oldest !== undefined) living.delete(oldest)
    await start()
  }

  return {
    start,
    replace,
    count: () => living.size,
    async close(): Promise<void> {
      isClosing = true
      const all = [...living]
      const gone = all.map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of all) child.kill('SIGKILL')
      await Promise.all(gone)
      await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true, maxRetries: 3 })))
    },
  }
}
