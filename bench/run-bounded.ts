import { fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'
import type { Figure } from './figure.ts'
import { descendants } from './process-figures.ts'

export type Outcome = {
  figures: Figure[]
  /** Why it did not come to its end. */
  failure?: string
}

type Message = { figure: Figure } | { failure: string } | { isDone: true }

/** Runs a benchmark in a process of its own; one that takes longer is ended with everything that it started. */
export async function runBounded(name: string, boundSeconds: number): Promise<Outcome> {
  const options = process.argv.slice(2).filter((each) => each.startsWith('--'))
  const child = fork(join(root, 'bench/run-one.ts'), [name, ...options])
  const outcome: Outcome = { figures: [] }
  child.on('message', (message: Message) => {
    if ('figure' in message) outcome.figures.push(message.figure)
    else if ('failure' in message) outcome.failure = message.failure
  })
  const timer = setTimeout(() => {
    outcome.failure = `It was not done after ${Math.round(boundSeconds)} s.`
    endAll(child.pid)
  }, boundSeconds * 1000)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (code !== 0) outcome.failure ??= `It ended with ${code ?? 'a signal'}.`
  return outcome
}

/** Servers, databases and browsers of a benchmark are in groups of their own: they are found by their parents. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return
  for (const each of descendants(pid)) {
    try {
      process.kill(each, 'SIGKILL')
    } catch (error) {
      // It ended by itself meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
