import type { ClusterConnectionFacts } from '@bey/contract'

import { act, type Who } from '../../../platform/act.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { existing } from '../existing-cluster.ts'
import type { ClusterEvents } from '../cluster-events.ts'
import { clusterTarget } from '../cluster-runs.ts'
import { type Connections, type Imported, watchedNamespaces } from '../connections.ts'
import { findCluster, findConnection, lockCluster } from '../store.ts'
import { updateImported } from './import-store.ts'
import { importedFacts } from './imported-facts.ts'
import type { Probe } from './probe/probe.ts'
import { type ChosenContext, trustedEntry } from './trusted-connection.ts'

export type ConnectionServiceDeps = {
  database: Database
  connections: Connections
  events: ClusterEvents
  probe: Probe
  /** Ends what is open by the connection as it was, once the transaction commits. */
  onReplaced(db: Db, clusterId: number): Promise<void>
}

/** How a cluster is reached: shown, tested again, and replaced. */
export function createConnectionService(deps: ConnectionServiceDeps) {
  const { database, connections, events, probe, onReplaced } = deps

  async function importedOf(db: Db, organizationId: number, id: number) {
    const cluster = existing(await findCluster(db, organizationId, id))
    const known = await connections.imported(db, organizationId, id)
    if (known === null)
      throw new AppError(
        'conflict',
        `The cluster "${cluster.title}" was not imported: this server started it and looks after its connection.`,
      )
    return { cluster, known }
  }

  async function facts(db: Db, organizationId: number, id: number): Promise<ClusterConnectionFacts> {
    const cluster = existing(await findCluster(db, organizationId, id))
    const known = await connections.imported(db, organizationId, id)
    if (known !== null) return presentImported(cluster.id, known)
    const row = await findConnection(db, id)
    return { ...ownConnection, clusterId: cluster.id, server: row?.url ?? '' }
  }

  return {
    facts: (organizationId: number, id: number) =>
      database.readTenant(organizationId, (db) => facts(db, organizationId, id)),

    /** Tests the connection and keeps what was found: rights may have changed, and with them how Bey acts. */
    async test(organizationId: number, id: number, who: Who): Promise<ClusterConnectionFacts> {
      const before = await database.withTenant(organizationId, async (db) => {
        const { cluster, known } = await importedOf(db, organizationId, id)
        await act(db, who, {
          action: 'cluster.testConnection',
          class: 'access',
          target: clusterTarget(cluster),
        })
        return known
      })
      const { namespace, chosenNamespaces } = before.imported
      const test = await probe.test(before.connection, {
        ...(namespace !== null && { namespace }),
        chosen: chosenNamespaces ?? [],
      })
      return database.withTenant(organizationId, async (db) => {
        // A title of its own: what was replaced meanwhile must not get the result of another connection.
        const { known } = await importedOf(db, organizationId, id)
        const impersonates = test.rights?.impersonation.isUsed ?? known.imported.impersonates
        await updateImported(db, id, { imported: { ...known.imported, impersonates }, test })
        if (isOtherway(before, { ...known, test, imported: { ...known.imported, impersonates } }))
          await onReplaced(db, id)
        return facts(db, organizationId, id)
      })
    },

    /** Takes another kubeconfig for the same cluster once that works; until then the old one stays. */
    async replace(
      organizationId: number,
      id: number,
      { kubeconfig, ...chosen }: ChosenContext & { kubeconfig: string },
      who: Who,
    ): Promise<ClusterConnectionFacts> {
      const { known: before } = await database.readTenant(organizationId, (db) =>
        importedOf(db, organizationId, id),
      )
      const entry = await trustedEntry(kubeconfig, chosen, probe)
      const { chosenNamespaces } = before.imported
      const test = await probe.test(entry.connection, {
        ...(entry.namespace !== undefined && { namespace: entry.namespace }),
        chosen: chosenNamespaces ?? [],
      })
      if (test.problem !== null)
        throw new AppError(
          'conflict',
          `The credentials were not replaced, for the new ones do not work. ${test.problem.title} ${test.problem.detail}`,
        )
      return database.withTenant(organizationId, async (db) => {
        const row = existing(await lockCluster(db, organizationId, id))
        const imported = { ...importedFacts(entry, test), chosenNamespaces }
        await connections.saveImported(db, organizationId, id, {
          connection: entry.connection,
          imported,
          test,
        })
        const { context, credential, isVerified } = imported
        const diff = { server: entry.server, context, credential, isVerified }
        await act(db, who, {
          action: 'cluster.replaceCredentials',
          class: 'update',
          diff,
          target: clusterTarget(row),
        })
        await onReplaced(db, id)
        await events.listChanged(db, organizationId)
        return facts(db, organizationId, id)
      })
    },

    /** Null: those that the test found. */
    chooseNamespaces(organizationId: number, id: number, namespaces: string[] | null, who: Who) {
      return database.withTenant(organizationId, async (db) => {
        const { cluster, known } = await importedOf(db, organizationId, id)
        const unique = namespaces === null ? null : [...new Set(namespaces)]
        const chosenNamespaces = unique?.length === 0 ? null : unique
        await updateImported(db, id, { imported: { ...known.imported, chosenNamespaces }, test: known.test })
        const diff = { namespaces: chosenNamespaces }
        await act(db, who, {
          action: 'cluster.chooseNamespaces',
          class: 'update',
          diff,
          target: clusterTarget(cluster),
        })
        await onReplaced(db, id)
        return facts(db, organizationId, id)
      })
    },
  }
}

export type ConnectionService = ReturnType<typeof createConnectionService>

/** Whether what is open should be opened anew: another way of acting, or other namespaces. */
function isOtherway(before: Imported, after: Imported): boolean {
  const textOf = ({ imported, test }: Imported) =>
    JSON.stringify([imported.impersonates, watchedNamespaces(imported, test), test?.identity?.user])
  return textOf(before) !== textOf(after)
}

const ownConnection: Omit<ClusterConnectionFacts, 'clusterId' | 'server'> = {
  isImported: false,
  context: null,
  credential: 'token',
  isVerified: true,
  tlsServerName: null,
  proxy: null,
  actsAs: null,
  impersonates: true,
  namespaces: null,
  areNamespacesChosen: false,
  credentialsExpireAt: null,
  test: null,
}

function presentImported(
  clusterId: number,
  { connection, imported, test }: Imported,
): ClusterConnectionFacts {
  return {
    clusterId,
    isImported: true,
    server: connection.url,
    context: imported.context,
    credential: imported.credential,
    isVerified: imported.isVerified,
    tlsServerName: imported.tlsServerName,
    proxy: imported.proxy,
    actsAs: imported.actsAs,
    impersonates: imported.impersonates,
    namespaces: watchedNamespaces(imported, test),
    areNamespacesChosen: imported.chosenNamespaces !== null,
    credentialsExpireAt: imported.credentialsExpireAt,
    test,
  }
}
