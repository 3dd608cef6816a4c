import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const mebibyte = 1024 * 1024
/** What an empty server takes on disk, with its first journal. */
const neededDiskBytes = 128 * mebibyte

/** The file in the directory of a database that says how much memory its server may take while it runs. */
const fileOf = (dir: string) => join(dir, 'memory')

/** Memory that the servers below a directory take out of the budget of the machine, in bytes. */
export async function reservedIn(root: string, without?: string): Promise<number> {
  const entries = await readdir(root).catch(ifMissing([] as string[]))
  const sizes = await Promise.all(
    entries
      .map((entry) => join(root, entry))
      .filter((dir) => dir !== without)
      .map((dir) => readFile(fileOf(dir), 'utf8').catch(ifMissing('0'))),
  )
  return sizes.reduce((sum, text) => sum + (Number(text) || 0), 0)
}

export async function writeReservation(dir: string, memoryBytes: number): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  await writeFile(fileOf(dir), String(memoryBytes), { mode: 0o600 })
}

export async function removeReservation(dir: string): Promise<void> {
  await rm(fileOf(dir), { force: true })
}

export type Room = { budgetBytes: number; usedBytes: number; freeDiskBytes: number }

/** Why a server that takes so much memory does not fit, with the way out; undefined when it does. */
export function roomRefusal(memoryBytes: number, room: Room): string | undefined {
  const leftBytes = Math.max(0, room.budgetBytes - room.usedBytes)
  if (memoryBytes > leftBytes) {
    return `This database takes ${mib(memoryBytes)} of memory, and the machine has ${mib(leftBytes)} of its ${mib(room.budgetBytes)} for databases and sandboxes left. Choose a smaller plan, hibernate or delete another one, or set BEY_SANDBOX_BUDGET_MIB to more memory.`
  }
  if (room.freeDiskBytes < neededDiskBytes) {
    return `The disk for databases has ${mib(room.freeDiskBytes)} free, and a new one needs ${mib(neededDiskBytes)}. Free some space first.`
  }
  return undefined
}

const mib = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`

function ifMissing<T>(value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }
}
