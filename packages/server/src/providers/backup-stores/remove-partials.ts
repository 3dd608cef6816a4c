import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

const abandonedAfterMs = 24 * 3_600_000

/** A file while it is written: `.MACHINE.UUID.partial`. No key begins with a dot. */
export function partialName(machineId: string): string {
  return `.${machineId}.${randomUUID()}.partial`
}

/**
 * Deletes what a former process of this machine left half written below a directory, and what others left a day ago.
 * Called before anything is written. Answers how many files.
 */
export async function removePartials(root: string, machineId: string, now: Date): Promise<number> {
  const names = await readdir(root, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const partial = names.filter((name) => /^\..+\.partial$/.test(basename(name)))
  const removed = await Promise.all(
    partial.map(async (name) => {
      const file = join(root, name)
      const isOwn = basename(name).startsWith(`.${machineId}.`)
      if (!isOwn && now.getTime() - (await modifiedMs(file)) <= abandonedAfterMs) return false
      await rm(file, { force: true })
      return true
    }),
  )
  return removed.filter(Boolean).length
}

/** Infinity: renamed or removed meanwhile, which is not to be deleted again. */
async function modifiedMs(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? Infinity
}
