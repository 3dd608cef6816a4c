import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../operator/main.ts', import.meta.url))

/** Starts a command of the operator in a process of its own. */
export function startOperator(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', notes: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.notes += text))
  const over = new Promise<{ code: number | null; out: string; notes: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...said })),
  )
  return { over, kill: () => void child.kill('SIGKILL') }
}

/** Runs a command of the operator to its end. */
export function runOperator(args: readonly string[], env: Record<string, string>) {
  return startOperator(args, env).over
}
