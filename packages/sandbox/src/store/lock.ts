import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const held = new Set<string>()

type Process = { state: string; start: string }

/** State and start time of a process, which tell two with the same id apart; undefined where unknown. */
function processOf(pid: number): Process | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return { state: fields?.[0] ?? '', start: fields?.[19] ?? '' }
  } catch (error) {
    // No /proc on this system, or the process is gone; the signal below decides.
    void error
    return undefined
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: alive, but of another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const found = processOf(pid)
  // Z and X: dead, and only waiting for their parent to take note of it.
  if (found?.state === 'Z' || found?.state === 'X') return false
  return !found?.start || start === '' || found.start === start
}

/** Takes the directory for this sandbox alone. Throws when a living process has it; returns what gives it back. */
export function lockDirectory(dir: string): () => void {
  const path = join(dir, 'lock')
  const key = resolve(dir)
  if (held.has(key)) throw new Error(`The directory ${dir} is in use by another sandbox of this process.`)
  const mine = `${process.pid} ${processOf(process.pid)?.start ?? ''}\n`
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
  held.add(key)
  return () => {
    held.delete(key)
    rmSync(path, { force: true })
  }
}
