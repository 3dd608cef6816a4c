import type { CnpgStore } from '../../../tables/databases.ts'
import type { BucketAccess } from '../backup-targets/backup-places.ts'

const pluginName = 'barman-cloud.cloudnative-pg.io'

/** Says which database of Bey an object in a cluster belongs to, so that nobody else's is ever taken for it. */
export const databaseLabel = 'bey.io/database'

const objectStores = (namespace: string) =>
  `/apis/barmancloud.cnpg.io/v1/namespaces/${encodeURIComponent(namespace)}/objectstores`

export const objectStorePath = (namespace: string, name?: string) =>
  name === undefined ? objectStores(namespace) : `${objectStores(namespace)}/${encodeURIComponent(name)}`

export const secretPath = (namespace: string, name: string) =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`

/** Of the Secret with the key of the bucket, and of the ObjectStore of the plugin. */
const storeName = (cluster: string) => `${cluster}-backup-store`

/** Where the backups of a new Cluster go. Each has a folder of its own, for Barman writes into an empty one alone. */
export function storeOf(
  cluster: { organizationId: number; databaseId: string; name: string },
  target: { id: string; bucket: string; prefix: string; endpoint: string | null },
  retentionDays: number,
): CnpgStore {
  const { organizationId, databaseId, name } = cluster
  const folder = [target.prefix, 'cnpg', String(organizationId), databaseId].filter(Boolean).join('/')
  return {
    targetId: target.id,
    objectName: storeName(name),
    destinationPath: `s3://${target.bucket}/${folder}/`,
    endpointUrl: target.endpoint,
    retentionDays,
    method: null,
  }
}

type Owner = { id: string; namespace: string }

const metadata = ({ id, namespace }: Owner, name: string) => ({
  name,
  namespace,
  labels: { 'app.kubernetes.io/managed-by': 'bey', [databaseLabel]: id },
})

const keys = { id: 'ACCESS_KEY_ID', secret: 'ACCESS_SECRET_KEY', region: 'AWS_REGION' } as const

type Key = Pick<BucketAccess, 'accessKeyId' | 'secretAccessKey' | 'region'>

/** The Secret by which pods reach the bucket. */
export function storeSecret(owner: Owner, { objectName }: CnpgStore, key: Key) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(owner, objectName),
    type: 'Opaque',
    stringData: {
      [keys.id]: key.accessKeyId,
      [keys.secret]: key.secretAccessKey,
      [keys.region]: key.region,
    },
  }
}

/** The store as the plugin and the Cluster itself name it alike. */
function barmanStore({ objectName: name, destinationPath, endpointUrl }: CnpgStore) {
  return {
    destinationPath,
    ...(endpointUrl !== null && { endpointURL: endpointUrl }),
    s3Credentials: {
      accessKeyId: { name, key: keys.id },
      secretAccessKey: { name, key: keys.secret },
      region: { name, key: keys.region },
    },
    wal: { compression: 'gzip' },
    data: { compression: 'gzip' },
  }
}

const retentionOf = ({ retentionDays }: CnpgStore) => ({ retentionPolicy: `${retentionDays}d` })

/** The ObjectStore of the Barman Cloud plugin. */
export function objectStore(owner: Owner, store: CnpgStore) {
  return {
    apiVersion: 'barmancloud.cnpg.io/v1',
    kind: 'ObjectStore',
    metadata: metadata(owner, store.objectName),
    spec: { configuration: barmanStore(store), ...retentionOf(store) },
  }
}

/** The part of a Cluster that names its store: by the plugin, or in itself as before version 1.26. */
export function storeInCluster(store: CnpgStore) {
  return store.method === 'plugin'
    ? {
        plugins: [
          { name: pluginName, isWALArchiver: true, parameters: { barmanObjectName: store.objectName } },
        ],
      }
    : { backup: { barmanObjectStore: barmanStore(store), ...retentionOf(store) } }
}
