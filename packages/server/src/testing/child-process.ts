import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'

const main = fileURLToPath(new URL('./operations-child.ts', import.meta.url))
const resolveOnce = new URL('../platform/resolve-once.ts', import.meta.url).href

export type ServerChild = {
  pid: number
  /** Sends a command; what it answers is in the database. */
  send(command: Record<string, unknown>): void
  /** How often it has answered a command. */
  answers(): Record<string, unknown>[]
  isOver(): boolean
  over: Promise<NodeJS.Signals | null>
  kill(): void
  /** Suspends it (SIGSTOP): it keeps its locks and connections, and does not respond. */
  hang(): void
  /** Lets a process that hangs go on as if nothing had been. */
  revive(): void
}

/** Starts a server process and waits until it is ready, or over if it kills itself before. */
export async function startServerChild(env: Record<string, string>): Promise<ServerChild> {
  const child: ChildProcess = spawn(
    globalThis.process.execPath,
    ['--disable-warning=ExperimentalWarning', `--import=${resolveOnce}`, main],
    {
      env: {
        PATH: globalThis.process.env['PATH'],
        NODE_COMPILE_CACHE: globalThis.process.env['NODE_COMPILE_CACHE'],
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const answers: Record<string, unknown>[] = []
  let isOver = false
  const over = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_code, signal) => {
      isOver = true
      resolve(signal)
    })
  })
  // Writing to a child that has just killed itself.
  child.stdin?.on('error', () => undefined)
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>()
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Record<string, unknown>
      if (message['event'] === 'ready') becomeReady()
      else answers.push(message)
    })
  }
  await Promise.race([ready, over])
  return {
    pid: child.pid ?? 0,
    send: (command) => void child.stdin?.write(`${JSON.stringify(command)}\n`),
    answers: () => answers,
    isOver: () => isOver,
    over,
    kill: () => void child.kill('SIGKILL'),
    hang: () => void child.kill('SIGSTOP'),
    revive: () => void child.kill('SIGCONT'),
  }
}
