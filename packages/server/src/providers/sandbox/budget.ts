import { existsSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { constrainedMemory } from 'node:process'

const mebibyte = 1024 * 1024
/** What a sandbox needs beside the objects of JavaScript: code, buffers, the compiler. */
const overheadMib = 112
/** Objects take about so many times the bytes of their JSON in memory, with texts and history. */
const storedShare = 8
const objectsPerMib = 20
/** A journal is compacted when half of it is of no use, and the new one stands beside the old until it is whole. */
const diskPerStored = 3
const diskReserveBytes = 64 * mebibyte

export type SandboxLimits = {
  memoryBytes: number
  maxHeapMib: number
  maxStoredMib: number
  maxObjects: number
  maxDiskBytes: number
}

/** What one sandbox may take, from the memory that it is given. */
function limitsOf(memoryMib: number): SandboxLimits {
  const maxStoredMib = Math.floor(memoryMib / storedShare)
  return {
    memoryBytes: memoryMib * mebibyte,
    maxHeapMib: memoryMib - overheadMib,
    maxStoredMib,
    maxObjects: memoryMib * objectsPerMib,
    maxDiskBytes: maxStoredMib * mebibyte * diskPerStored,
  }
}

/** Memory of this machine, or of the container that the server runs in. */
function machineMemoryBytes(): number {
  const limit = constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

export type Budget = {
  limits: SandboxLimits
  machineBytes: number
  /** What all sandboxes may take together. */
  budgetBytes: number
  maxSandboxes: number
}

/** `budgetMib` undefined: half of the machine's memory. There is always room for one sandbox. */
export function budgetOf(memoryMib: number, budgetMib: number | undefined): Budget {
  const limits = limitsOf(memoryMib)
  const machineBytes = machineMemoryBytes()
  const budgetBytes = budgetMib === undefined ? Math.floor(machineBytes / 2) : budgetMib * mebibyte
  const maxSandboxes = Math.max(1, Math.floor(budgetBytes / limits.memoryBytes))
  return { limits, machineBytes, budgetBytes, maxSandboxes }
}

/** How many sandboxes fit beside databases that take so much of the same memory. */
export function maxSandboxesBeside(budget: Budget, databaseBytes: number): number {
  if (databaseBytes === 0) return budget.maxSandboxes
  return Math.max(0, Math.floor((budget.budgetBytes - databaseBytes) / budget.limits.memoryBytes))
}

/** The sandboxes below a directory, running or not, by the id of their cluster. */
export async function sandboxesIn(root: string): Promise<number[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return entries.flatMap((entry) => {
    const id = entry.isDirectory() ? /^cluster-(\d+)$/.exec(entry.name)?.[1] : undefined
    return id === undefined ? [] : [Number(id)]
  })
}

/** Bytes that are free on the disk of a directory, or of the nearest one above it that exists. */
export async function freeDiskBytes(root: string): Promise<number> {
  let path = root
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path)
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

export type Room = {
  sandboxes: number
  maxSandboxes: number
  /** Memory that databases of the machine take. */
  databaseBytes: number
  freeDiskBytes: number
  neededDiskBytes: number
}

/** Why no further sandbox fits on this machine, with the way out; undefined when one does. */
export function refusalOf(room: Room): string | undefined {
  if (room.sandboxes >= room.maxSandboxes) {
    const beside = room.databaseBytes > 0 ? ' beside its databases' : ''
    const count =
      room.maxSandboxes === 1 && room.sandboxes === 1
        ? `one sandbox${beside}, which exists`
        : room.sandboxes === room.maxSandboxes && room.sandboxes > 0
          ? `${room.maxSandboxes} sandboxes${beside}, which all exist`
          : `${room.maxSandboxes} sandboxes${beside}, and ${room.sandboxes} exist`
    const way = room.databaseBytes > 0 ? 'Delete one or hibernate a database' : 'Delete one'
    return `This machine has memory for ${count}. ${way}, or set BEY_SANDBOX_BUDGET_MIB to more memory.`
  }
  const missing = room.neededDiskBytes + diskReserveBytes - room.freeDiskBytes
  if (missing <= 0) return undefined
  return `The disk for sandboxes lacks ${Math.ceil(missing / mebibyte)} MiB of what another one may need. Free some space first.`
}
