// `npm run verify`: opens every secret value and checks every audit chain, of the database that DATABASE_URL names or the
// one in BEY_DATA_DIR, whether a server runs on it or not. Exit code 0: all holds; 1: something does not; 2: not checked.
import { readConfig } from '../packages/server/src/config.ts'
import { loadRootKey } from '../packages/server/src/platform/crypto/root-key.ts'
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { ConfigError } from '../packages/server/src/platform/errors.ts'
import { createLog, type Log } from '../packages/server/src/platform/log.ts'
import { claimDataDirectory } from '../packages/server/src/platform/process.ts'
import { verifyEverything } from '../packages/server/src/verification.ts'
import { embeddedDatabaseUrl } from './seed-metrics.ts'

type Opened = { database: Database; close(): Promise<void> }

try {
  const config = readConfig(process.env)
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const { database, close } = await open(config.databaseUrl, config.dataDir, log)
  try {
    const rootKey = await loadRootKey(config, log)
    process.exitCode = (await verifyEverything(database, rootKey, console.log)) ? 0 : 1
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 2
}
process.exit()

async function open(url: string | undefined, dataDir: string, log: Log): Promise<Opened> {
  if (url !== undefined) return connected(url, dataDir, log)
  const claimed = await claimDataDirectory(dataDir, 'npm run verify').catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
  if (claimed instanceof ConfigError) return connected(runningUrl(dataDir, claimed), dataDir, log)
  const database = await openDatabase({ dataDir }, log)
  return {
    database,
    async close() {
      await database.close()
      await claimed.release()
    },
  }
}

async function connected(url: string, dataDir: string, log: Log): Promise<Opened> {
  const database = await openDatabase({ url, dataDir }, log)
  return { database, close: () => database.close() }
}

/** The address of the database that a server keeps running in the data directory. */
function runningUrl(dataDir: string, refused: ConfigError): string {
  try {
    return embeddedDatabaseUrl(dataDir)
  } catch {
    throw refused
  }
}
