import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, platform, setPriority } from 'node:os'

/** A tenth of the processor where others want all of it, so that work ends on a busy machine as well. */
const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lets everything else on the machine go before the thread that calls, for good. Only Linux gives threads priorities of their own;
 * elsewhere nothing changes.
 */
export function lowerThread(): void {
  if (platform() === 'linux') setPriority(PRIORITY_BELOW_NORMAL)
}

/**
 * Lets everything else on the machine go before all threads of this process, also those that it starts later. Where it leads a session of
 * its own, it gives way to other sessions as well: Linux groups processes by session and compares priorities within a group alone
 * (sched(7), "The autogroup feature").
 */
export function lowerProcess(): void {
  if (platform() !== 'linux') return setPriority(PRIORITY_BELOW_NORMAL)
  // setpriority(2): on Linux it is one thread that is named, and the threads of Node run already.
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), PRIORITY_BELOW_NORMAL)
  // Without the feature there is no such file.
  if (leadsSession() && existsSync(autogroup))
    whereAllowed(() => writeFileSync(autogroup, String(PRIORITY_BELOW_NORMAL)))
}

const autogroup = '/proc/self/autogroup'

/** From proc(5): the process, its name in parentheses, its state, its parent, its group and its session. */
function leadsSession(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return session === stat.split(' ')[0]
}

/** Does the same to another process of this machine, where we may: as its account or as root. */
export function lowerOther(other: number): void {
  whereAllowed(() => setPriority(other, PRIORITY_BELOW_NORMAL))
}

/** What the system refuses, as it may in a container, is left as it is: the work is done all the same. */
function whereAllowed(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}
