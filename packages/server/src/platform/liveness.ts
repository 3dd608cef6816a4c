import { readFileSync } from 'node:fs'
import { kill } from 'node:process'

/** What the system knows of a process; `startTicks` since boot distinguishes two processes with the same id. */
export type ProcessState = { state: string; startTicks: string }

/** State and start of a process; undefined where there is no /proc, or no such process. */
export function processState(pid: number): ProcessState | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
  // The program's name stands in parentheses and may hold spaces; the start is the 20th field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = ''] = fields
  return { state, startTicks: fields[19] ?? '' }
}

/** Whether a process runs. One that has ended and waits for its parent to collect it does not. */
export function isAlive(pid: number): boolean {
  try {
    kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const state = processState(pid)?.state
  return state !== 'Z' && state !== 'X'
}
