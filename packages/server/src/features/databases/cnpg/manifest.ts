import { type ClusterVersion, imageOfVersion } from '@bey/contract'

import type { CnpgWanted } from '../../../tables/databases.ts'
import type { ClusterObject } from './cluster-object.ts'

/** Says which database of Bey a Cluster belongs to, so that nobody else's is ever taken for it. */
const databaseLabel = 'bey.io/database'

/** Says of the throw-away Cluster of a drill which database it proves; nobody is offered to manage it. */
export const drillLabel = 'bey.io/drill-of'

export const isOfDatabase = ({ metadata }: ClusterObject, id: string) =>
  metadata?.labels?.[databaseLabel] === id

type Wish = {
  instances: number
  storage: string
  storageClass?: string | undefined
  version?: ClusterVersion | undefined
  parameters: Record<string, string>
}

/** What is kept of what somebody asked for. */
export function wantedOf({ instances, storage, storageClass, version, parameters }: Wish): CnpgWanted {
  return {
    instances,
    storage,
    storageClass: storageClass ?? null,
    imageName: version === undefined ? null : imageOfVersion(version),
    parameters,
  }
}

// CloudNativePG loads the library and makes the extension where one of its parameters is set.
const statementParameters = { 'pg_stat_statements.max': '5000', 'pg_stat_statements.track': 'top' }

type Subject = {
  id: string
  name: string
  namespace: string
  databaseName: string
  username: string
  wanted: CnpgWanted
}

/** The Cluster of a new database. Its owner is made by the operator, with a password of its own, and sees what others do. */
export function clusterManifest({ id, name, namespace, databaseName, username, wanted }: Subject) {
  const { instances, storage, storageClass, imageName, parameters, recovery } = wanted
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'bey', [databaseLabel]: id },
    },
    spec: {
      instances,
      ...(imageName !== null && { imageName }),
      storage: { size: storage, ...(storageClass !== null && { storageClass }) },
      ...(recovery === undefined
        ? {
            bootstrap: {
              initdb: {
                database: databaseName,
                owner: username,
                postInitSQL: [`grant pg_monitor to "${username.replaceAll('"', '""')}"`],
              },
            },
          }
        : {
            // With its owner, the operator gives that a new password in a secret of the new Cluster.
            bootstrap: { recovery: { ...recovery.bootstrap, database: databaseName, owner: username } },
            ...(recovery.externalClusters.length > 0 && { externalClusters: recovery.externalClusters }),
          }),
      postgresql: { parameters: { ...statementParameters, ...parameters } },
    },
  }
}
