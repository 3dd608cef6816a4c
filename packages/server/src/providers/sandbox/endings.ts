import { readFile, rm, writeFile } from 'node:fs/promises'

/** How a process came to its end, as far as this server can know. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null } | 'unknown'

/** One sentence about the end of a process; `lastWords` is what it wrote to its error output. */
export function describeEnding(pid: number, ending: Ending, lastOutput: string): string {
  const words = causeIn(lastOutput)
  const suffix = words === '' ? '.' : `: ${words}`
  if (ending === 'unknown') {
    return words === ''
      ? `Process ${pid} ended without a word. An earlier server had started it, so its exit code is not known.`
      : `Process ${pid} ended${suffix}`
  }
  if (ending.signal === 'SIGKILL' && words === '')
    return `Process ${pid} was ended by the signal SIGKILL, as by the system when memory runs out.`
  if (ending.signal !== null) return `Process ${pid} was ended by the signal ${ending.signal}${suffix}`
  return `Process ${pid} ended with exit code ${ending.code ?? 'unknown'}${suffix}`
}

const longestCause = 300

/** The line of an error output that says what happened: not the stack below it, nor the version at its end. */
function causeIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.find((line) => line.startsWith('FATAL ERROR: '))
  if (fatal?.includes('heap limit') === true) return 'it needed more memory than a sandbox may have.'
  const error = lines.findLast((line) => /^(\w*Error|FATAL ERROR)\b/.test(line))
  const plain = lines.findLast((line) => !/^\s+at |^Node\.js v/.test(line))
  return (fatal ?? error ?? plain ?? '').trim().slice(0, longestCause)
}

/** Stores why a sandbox does not run, for the server that starts it again. */
export async function keepEnding(path: string, cause: string): Promise<void> {
  await writeFile(path, cause, { mode: 0o600 })
}

/** Takes the reason that was kept, if there is one. */
export async function takeEnding(path: string): Promise<string | undefined> {
  try {
    const cause = await readFile(path, 'utf8')
    await rm(path, { force: true })
    return cause
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
