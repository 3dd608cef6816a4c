import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The product, or an earlier version of it, in a process of its own, over a database, that a test can kill; it ends with the test. */
export async function startMain(env: Record<string, string>, program = main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-main-'))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      BEY_TLS_PORT: '0',
      BEY_DATA_DIR: dataDir,
      BEY_SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await over
    await rm(dataDir, { recursive: true, force: true })
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Bey listens on (\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address.replace('localhost', '127.0.0.1'))
    })
  })
  return {
    url,
    /** Holds it up, with all its connections open, until `resume`. */
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    /** Stops it as an operator does; answers its exit code. */
    async stop() {
      child.kill('SIGTERM')
      await over
      return child.exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await over
    },
  }
}
