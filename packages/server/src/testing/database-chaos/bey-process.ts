import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const startAttempts = 5

/** The product in a process of its own that can be killed and started again over the same directory. */
export async function startBeyProcess(env: Record<string, string>) {
  let child: ChildProcess | undefined
  let url = ''

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const address = await launch()
      if (address !== undefined) {
        url = address
        return
      }
      if (attempt === startAttempts) throw new Error('Bey did not start')
    }
  }

  /** Answers its address, or undefined where it ended before it had one. */
  async function launch(): Promise<string | undefined> {
    const launched = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
      env: { PATH: process.env['PATH'], PORT: '0', BEY_TLS_PORT: '0', LOG_LEVEL: 'fatal', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = launched
    return new Promise((resolve) => {
      launched.once('exit', () => resolve(undefined))
      createInterface({ input: launched.stdout }).on('line', (line) => {
        const address = /^Bey listens on (\S+)/.exec(line)?.[1]
        if (address !== undefined) resolve(address.replace('localhost', '127.0.0.1'))
      })
    })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = child
    child = undefined
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return
    const over = new Promise((resolve) => ended.once('exit', resolve))
    ended.kill(signal)
    await over
  }

  await start()
  return {
    url: () => url,
    /** Ends it with SIGKILL and starts another in its place; `meanwhile` happens while none runs. */
    async replace(meanwhile?: () => Promise<unknown>): Promise<void> {
      await end('SIGKILL')
      await meanwhile?.()
      await start()
    },
    /** As an operator stops it; the servers of databases stop with it. */
    stop: () => end('SIGTERM'),
  }
}
