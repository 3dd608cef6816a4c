import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const held = new Set<string>()

/** When the process was started, in a form that tells two processes with the same id apart; '' where unknown. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch (error) {
    // No /proc on this system, or the process is gone; the signal below decides.
    void error
    return ''
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: alive, but of another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const current = startOf(pid)
  return current === '' || start === '' || current === start
}

/** Takes the directory for this sandbox alone. Throws when a living process has it; returns what gives it back. */
export function lockDirectory(dir: string): () => void {
  const path = join(dir, 'lock')
  if (held.has(dir)) throw new Error(`The directory ${dir} is in use by another sandbox of this process.`)
  const mine = `${process.pid} ${startOf(process.pid)}\n`
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST') || attempt > 3) {
        throw new Error(`The directory ${dir} cannot be written.`, { cause: error })
      }
      const [pid = '', start = ''] = readFileSync(path, 'utf8').trim().split(' ')
      if (Number(pid) !== process.pid && Number(pid) > 0 && isAlive(Number(pid), start)) {
        throw new Error(`The directory ${dir} is in use by process ${pid}.`, { cause: error })
      }
      rmSync(path, { force: true })
    }
  }
  held.add(dir)
  return () => {
    held.delete(dir)
    rmSync(path, { force: true })
  }
}
