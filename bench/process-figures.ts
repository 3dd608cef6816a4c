import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ticksPerSecond = 100

/** CPU time of a process so far, in milliseconds, user and system together (Linux /proc). */
export function cpuMs(pid: number): number {
  const fields = statOf(pid) ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}

/** CPU time of a process and all its descendants so far, in milliseconds; of those that have ended, too. */
export function treeCpuMs(pid: number): number {
  return descendants(pid).reduce((sum, each) => {
    const fields = statOf(each)?.slice(11, 15) ?? []
    return sum + (fields.reduce((ticks, field) => ticks + Number(field), 0) / ticksPerSecond) * 1000
  }, 0)
}

/** CPU time so far of the children of this process that have ended, in milliseconds. */
export function endedChildrenCpuMs(): number {
  const fields = statOf(process.pid)?.slice(13, 15) ?? []
  return (fields.reduce((ticks, field) => ticks + Number(field), 0) / ticksPerSecond) * 1000
}

/** CPU time so far of the embedded PostgreSQL of a data directory, in milliseconds. */
export function postgresCpuMs(dataDir: string): number {
  const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return treeCpuMs(Number(pid))
}

/** Proportional memory in MB of a process and all its descendants, shared pages counted once among those that share them. */
export function treeMemoryMb(pid: number): number {
  return descendants(pid).reduce((sum, each) => sum + processMemoryMb(each), 0)
}

/** Proportional memory in MB of one process, without its descendants. */
export function processMemoryMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(rollup.match(/^Pss:\s+(\d+) kB/m)?.[1] ?? 0) / 1024
}

/** A process and everything that it started and what these started. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(Number(entry))
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)])
  }
  const found = [pid]
  for (const each of found) found.push(...(parents.get(each) ?? []))
  return found
}

function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** The fields of /proc/…/stat from the process's state on. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch (error) {
    // The process ended between the listing and the reading.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Value below which a share of the samples lies. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(samples: number[]): number {
  return percentile(samples, 0.5)
}
