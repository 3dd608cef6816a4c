import { type ClusterVersion, imageOfVersion } from '@bey/contract'

import type { CnpgStore, CnpgWanted } from '../../../tables/databases.ts'
import type { ClusterObject } from './cluster-object.ts'
import { databaseLabel, storeInCluster } from './store-objects.ts'

/** Says of the throw-away Cluster of a drill which database it proves; nobody is offered to manage it. */
export const drillLabel = 'bey.io/drill-of'

/** Whether a Cluster, or another object in a cluster, was made for a database. */
export const isOfDatabase = ({ metadata }: Pick<ClusterObject, 'metadata'>, id: string) =>
  metadata?.labels?.[databaseLabel] === id

type Wish = {
  instances: number
  storage: string
  storageClass?: string | undefined
  version?: ClusterVersion | undefined
  parameters: Record<string, string>
}

/** What is kept of what somebody asked for. */
export function wantedOf(
  { instances, storage, storageClass, version, parameters }: Wish,
  {
    extensions = [],
    store,
  }: { extensions?: readonly string[] | undefined; store?: CnpgStore | undefined } = {},
): CnpgWanted {
  return {
    instances,
    storage,
    storageClass: storageClass ?? null,
    imageName: version === undefined ? null : imageOfVersion(version),
    parameters,
    ...(extensions.length > 0 && { extensions: [...extensions] }),
    ...(store !== undefined && { store }),
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
  const { instances, storage, storageClass, imageName, parameters, recovery, store } = wanted
  const { extensions = [] } = wanted
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
                ...(extensions.length > 0 && { postInitApplicationSQL: extensions.map(createExtension) }),
              },
            },
          }
        : {
            // With its owner, the operator gives that a new password in a secret of the new Cluster.
            bootstrap: { recovery: { ...recovery.bootstrap, database: databaseName, owner: username } },
            ...(recovery.externalClusters.length > 0 && { externalClusters: recovery.externalClusters }),
          }),
      postgresql: { parameters: { ...statementParameters, ...parameters } },
      ...(store !== undefined && storeInCluster(store)),
    },
  }
}

/**
 * Installs an extension as the superuser, where the image brings it: a statement that fails keeps the operator from ever making
 * the Cluster. The name is one of `clusterExtensions`.
 */
const createExtension = (name: string) =>
  `do $$ begin if exists (select from pg_available_extensions where name = '${name}') then create extension if not exists "${name}" cascade; end if; end $$`
