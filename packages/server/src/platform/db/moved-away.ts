import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ConfigError } from '../errors.ts'

const markOf = (dataDir: string): string => join(dataDir, 'moved-to')

/** Remembers that the embedded database lives on in another one. `where` names it without a user and password. */
export function markMovedAway(dataDir: string, where: string): Promise<void> {
  return writeFile(markOf(dataDir), `${where}\n`, { mode: 0o600 })
}

/**
 * Throws ConfigError where the embedded database was moved: a server that is started without `DATABASE_URL` by mistake would go on
 * with the state of before the move, and what people then change would stand in one of two databases.
 */
export async function refuseMovedAway(dataDir: string): Promise<void> {
  const mark = markOf(dataDir)
  const where = await readFile(mark, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (where === undefined) return
  throw new ConfigError(
    `The embedded database was moved to ${where.trim()}. Set DATABASE_URL to it. To go back to the embedded database, which is as it was before the move, remove ${mark}.`,
  )
}
