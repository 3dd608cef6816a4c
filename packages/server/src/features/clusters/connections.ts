import { createHash } from 'node:crypto'

import { clusterCan, type ConnectionTest } from '@bey/contract'

import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { noSuchCluster } from './existing-cluster.ts'
import type { ImportedConnection } from '../../tables/cluster-connections.ts'
import type { ContextConnection } from './import/kubeconfig.ts'
import type { ClusterConnection, ClusterPlacement, LiveCluster } from './provider.ts'
import { findCluster, findConnection, saveConnection } from './store.ts'

/** Where clusters are and with which token to speak to them; tokens are sealed with the organization's key. */
export function createConnections(database: Database, dataKeys: DataKeys) {
  const context = (clusterId: number) => `cluster-token:${clusterId}`
  const importedContext = (clusterId: number) => `cluster-credentials:${clusterId}`

  return {
    async save(db: Db, organizationId: number, clusterId: number, live: LiveCluster): Promise<void> {
      const tokenSealed = await dataKeys.seal(db, organizationId, live.token, context(clusterId))
      await saveConnection(db, {
        clusterId,
        organizationId,
        url: live.url,
        caPem: live.caPem,
        tokenSealed,
        machineId: live.machineId,
        dir: live.dir,
        port: live.port,
        pid: live.pid,
      })
    },

    savePlacement(
      db: Db,
      organizationId: number,
      clusterId: number,
      placement: ClusterPlacement,
    ): Promise<void> {
      return saveConnection(db, { clusterId, organizationId, ...placement })
    },

    async placement(db: Db, clusterId: number): Promise<ClusterPlacement | null> {
      const row = await findConnection(db, clusterId)
      if (row === undefined || row.machineId === null || row.dir === null || row.port === null) return null
      return { machineId: row.machineId, dir: row.dir, port: row.port }
    },

    async live(db: Db, organizationId: number, clusterId: number): Promise<LiveCluster | null> {
      const row = await findConnection(db, clusterId)
      if (row?.url == null || row.caPem === null || row.tokenSealed === null) return null
      if (row.machineId === null || row.dir === null || row.port === null || row.pid === null) return null
      const token = await dataKeys.unseal(db, organizationId, row.tokenSealed, context(clusterId))
      const { url, caPem, machineId, dir, port, pid } = row
      return { url, caPem, machineId, dir, port, pid, token: token.toString('utf8') }
    },

    /** Keeps how an imported cluster is reached; whatever could be a secret is sealed. */
    async saveImported(
      db: Db,
      organizationId: number,
      clusterId: number,
      { connection, imported, test }: Imported,
    ): Promise<void> {
      const text = JSON.stringify(connection)
      const { url, caPem } = connection
      await saveConnection(db, {
        clusterId,
        organizationId,
        url,
        caPem,
        credentialsSealed: await dataKeys.seal(db, organizationId, text, importedContext(clusterId)),
        imported,
        serverKey: serverKey(connection),
        test,
      })
    },

    async imported(db: Db, organizationId: number, clusterId: number): Promise<Imported | null> {
      const row = await findConnection(db, clusterId)
      if (row === undefined || row.credentialsSealed === null || row.imported === null) return null
      const sealed = row.credentialsSealed
      const text = await dataKeys.unseal(db, organizationId, sealed, importedContext(clusterId))
      // Sealed by `saveImported`, which wrote nothing else.
      const connection = JSON.parse(text.toString('utf8')) as ContextConnection
      return { connection, imported: row.imported, test: row.test }
    },

    /**
     * How to reach a cluster's API. Throws AppError `not_found` for what is not the organization's, `conflict`
     * while it is not running, and `cluster_unreachable` when nothing is known of where it is.
     */
    connect(organizationId: number, clusterId: number): Promise<ClusterConnection> {
      return database.readTenant(organizationId, async (db) => {
        const cluster = await findCluster(db, organizationId, clusterId)
        if (cluster === undefined || cluster.status === 'DELETED') throw noSuchCluster()
        const refusal = clusterCan.connect({ ...cluster, pending_operations: cluster.pendingOperations })
        if (refusal !== undefined)
          throw new AppError('conflict', `The cluster "${cluster.title}" cannot be reached: ${refusal}`)
        const known = await this.imported(db, organizationId, clusterId)
        if (known !== null) return importedConnection(known)
        const live = await this.live(db, organizationId, clusterId)
        if (live === null) {
          throw new AppError(
            'cluster_unreachable',
            `The address of the cluster "${cluster.title}" is not known.`,
          )
        }
        return { url: live.url, caPem: live.caPem, token: live.token, impersonate: true, isOwn: true }
      })
    },
  }
}

function importedConnection({ connection, imported, test }: Imported): ClusterConnection {
  const identity = test?.identity?.user ?? connection.actsAs?.user
  const namespaces = watchedNamespaces(imported, test)
  return {
    ...connection,
    impersonate: imported.impersonates,
    ...(identity !== undefined && { identity }),
    ...(namespaces !== null && { namespaces }),
  }
}

/** Namespaces that are watched one by one; null where all of them can be watched together. */
export function watchedNamespaces(
  imported: ImportedConnection,
  test: ConnectionTest | null,
): string[] | null {
  if (imported.chosenNamespaces !== null) return imported.chosenNamespaces
  const rights = test?.rights
  return rights == null || rights.readsAll ? null : rights.namespaces.map(({ name }) => name)
}

/** Names a cluster by its server and the authority of its certificate: the same for every user of it. */
export function serverKey({ url, caPem }: Pick<ContextConnection, 'url' | 'caPem'>): string {
  const { host, pathname } = new URL(url)
  const authority = createHash('sha256').update(caPem.replace(/\s+/g, '')).digest('base64url')
  return `${host}${pathname.replace(/\/$/, '')} ${authority}`
}

/** How an imported cluster is reached, and what is known of that. */
export type Imported = {
  connection: ContextConnection
  imported: ImportedConnection
  test: ConnectionTest | null
}

export type Connections = ReturnType<typeof createConnections>
