import { readdir, readFile } from 'node:fs/promises'
import { kill } from 'node:process'

/** Stops a process and its children in the middle of whatever they do; answers what lets them go on. Linux only. */
export async function freezeProcesses(pid: number): Promise<() => void> {
  // The parent first, so that no child is added.
  kill(pid, 'SIGSTOP')
  const pids = [pid, ...(await childrenOf(pid))]
  for (const child of pids.slice(1)) signal(child, 'SIGSTOP')
  return () => {
    for (const each of pids) signal(each, 'SIGCONT')
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    // After the name, which may hold anything, come the state and the parent.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) children.push(Number(entry))
  }
  return children
}

/** A process of the database, such as a worker of autovacuum, may end between the look at them and the signal. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
