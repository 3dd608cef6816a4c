import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long processes have to end by SIGQUIT before they are ended by SIGKILL. */
const graceMs = 2_000

/**
 * Ends processes of PostgreSQL that outlived the server of this directory. One that is busy in a statement does not notice
 * that its server is gone, and until it ends no other server starts on the same files. Nothing where /proc is missing.
 */
export async function endOrphans(clusterDir: string): Promise<void> {
  const orphans = await processesOf(clusterDir)
  for (const pid of orphans) send(pid, 'SIGQUIT')
  for (let waitedMs = 0; waitedMs < graceMs && orphans.some(isAlive); waitedMs += 50) {
    // oxlint-disable-next-line no-await-in-loop -- until they are gone
    await sleep(50)
  }
  for (const pid of orphans.filter(isAlive)) send(pid, 'SIGKILL')
}

/** Each process of PostgreSQL works in the directory of its server. */
async function processesOf(clusterDir: string): Promise<number[]> {
  const dir = await realpath(clusterDir).catch(() => undefined)
  if (dir === undefined) return []
  const names = await readdir('/proc').catch(() => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
      if (cwd !== dir) return []
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return name.trim() === 'postgres' ? [pid] : []
    }),
  )
  return found.flat()
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
