import { hostname } from 'node:os'
import { join } from 'node:path'

import type { Config } from './config.ts'
import type { DatabaseClusters } from './features/databases/cnpg/clusters.ts'
import { createNetworkAccess } from './features/databases/network-access.ts'
import type { DatabaseProviders } from './features/databases/provider.ts'
import { certificateHosts, openServerCertificate } from './platform/certificate/server-certificate.ts'
import type { Clock } from './platform/clock.ts'
import type { RootKey } from './platform/crypto/root-key.ts'
import type { Database } from './platform/db/database.ts'
import type { Log } from './platform/log.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import { createCnpgDatabases } from './providers/databases/cnpg.ts'
import { createEmbeddedDatabases } from './providers/databases/embedded.ts'
import { createLocalDumps } from './providers/databases/dumps.ts'
import { createExternalDatabases } from './providers/databases/external.ts'
import { reservedIn } from './providers/databases/machine-budget.ts'
import { clientHost } from './providers/databases/server-tls.ts'
import { budgetOf, sandboxesIn } from './providers/sandbox/budget.ts'

type Options = {
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'sandboxMemoryMib' | 'sandboxBudgetMib'>
  database: Database
  rootKey: RootKey
  clock: Clock
  machineId: string
  outbound: Outbound
  /** False for tests: a crash of the machine may cost the data. */
  isDurable?: boolean | undefined
  log: Log
}

/** Servers of databases: those of this machine, which share its budget with sandboxes, those that others run, and those on clusters. */
export function openDatabaseServers(options: Options) {
  const { config, machineId, outbound, isDurable = true, log } = options
  const root = join(config.dataDir, 'databases')
  const { budgetBytes, limits } = budgetOf(config.sandboxMemoryMib, config.sandboxBudgetMib)
  const open: { clusters?: DatabaseClusters } = {}
  const embedded = createEmbeddedDatabases({
    root,
    machineId,
    log,
    isDurable,
    budgetBytes,
    tls: {
      host: clientHost(config.publicUrl),
      open: () =>
        openServerCertificate(options, [...certificateHosts(config.publicUrl), hostname()], 'database'),
    },
    sandboxBytes: async () =>
      (await sandboxesIn(join(config.dataDir, 'sandboxes'))).length * limits.memoryBytes,
  })
  return {
    providers: {
      dumps: createLocalDumps({ outbound, binaries: embedded.binaries }),
      embedded,
      external: createExternalDatabases({ outbound }),
      watched: {
        // Their clients are loaded with the first connection: most instances have no such server.
        mysql: {
          async connect(target, name) {
            const { createMysqlServers } = await import('./providers/databases/watched/mysql.ts')
            return createMysqlServers({ outbound }).connect(target, name)
          },
        },
        redis: {
          async connect(target, name) {
            const { createRedisServers } = await import('./providers/databases/watched/redis.ts')
            return createRedisServers({ outbound }).connect(target, name)
          },
        },
      },
      cnpg: createCnpgDatabases(() => {
        if (open.clusters === undefined) throw new Error('Clusters are not open yet')
        return open.clusters
      }),
    } satisfies DatabaseProviders,
    /** Says how the clusters are reached that databases run on. Steps of workflows have to know databases before that. */
    useClusters: (clusters: DatabaseClusters) => void (open.clusters = clusters),
    /** What networks do with the databases of this machine. */
    networkAccess: (database: Database) => createNetworkAccess({ database, providers: { embedded } }),
    /** Memory that databases of this machine have taken out of the budget. */
    reservedBytes: () => reservedIn(root),
  }
}
