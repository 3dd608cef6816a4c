import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whether a user without special rights or groups can enter `path` and every folder above it. */
export async function isEntered(path: string, uid: number): Promise<boolean> {
  let folder = await realpath(path)
  for (;;) {
    const { mode, uid: owner } = await stat(folder)
    const needed = owner === uid ? 0o100 : 0o001
    if ((mode & needed) === 0) return false
    const parent = dirname(folder)
    if (parent === folder) return true
    folder = parent
  }
}
