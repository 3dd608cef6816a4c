import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'

/** Measures on an embedded database in a directory of its own, which is removed again. */
export async function withDatabase(
  measure: (database: Database, dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const database = await openDatabase({ dataDir }, log)
  try {
    await measure(database, dataDir)
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
