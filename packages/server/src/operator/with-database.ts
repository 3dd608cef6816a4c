import type { Config } from '../config.ts'
import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { ConfigError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { claimDataDirectory } from '../platform/process.ts'
import { findRunningCluster } from './backup/running-cluster.ts'

/** Works while the embedded database of a data directory runs: that of a running server, or one that is started for it. */
export async function withEmbeddedDatabase<T>(
  { dataDir }: Pick<Config, 'dataDir'>,
  command: string,
  log: Log,
  work: () => Promise<T>,
): Promise<T> {
  const claimed = await claimDataDirectory(dataDir, command).catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
  if (claimed instanceof ConfigError) {
    if ((await findRunningCluster(dataDir)) === undefined) throw claimed
    return work()
  }
  try {
    const embedded = await startEmbedded({ dataDir }, log)
    try {
      return await work()
    } finally {
      await embedded.stop()
    }
  } finally {
    await claimed.release()
  }
}
