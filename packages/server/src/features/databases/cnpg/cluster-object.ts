import type { CnpgObserved } from '../../../tables/databases.ts'
import { isKnownPhase } from './cluster-state.ts'

const group = '/apis/postgresql.cnpg.io/v1'

/** Where the Clusters of all namespaces are listed. */
export const clustersPath = `${group}/clusters`

/** The annotation that hibernates a Cluster, and the condition that says that it is. */
export const hibernation = 'cnpg.io/hibernation'

/** What is read of a Cluster of CloudNativePG; everything is optional, for a cluster may answer anything. */
export type ClusterObject = {
  metadata?: {
    name?: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    deletionTimestamp?: string
  }
  spec?: {
    instances?: number
    imageName?: string
    storage?: { size?: string; storageClass?: string }
    backup?: {
      barmanObjectStore?: { destinationPath?: string; serverName?: string }
      volumeSnapshot?: object
    }
    plugins?: {
      name?: string
      enabled?: boolean
      isWALArchiver?: boolean
      parameters?: Record<string, string>
    }[]
    postgresql?: { parameters?: Record<string, string> }
    bootstrap?: Record<string, { secret?: { name?: string }; database?: string; owner?: string } | undefined>
    externalClusters?: object[]
  }
  status?: {
    phase?: string
    phaseReason?: string
    instances?: number
    readyInstances?: number
    currentPrimary?: string
    targetPrimary?: string
    instanceNames?: string[]
    image?: string
    firstRecoverabilityPoint?: string
    firstRecoverabilityPointByMethod?: Record<string, string>
    conditions?: { type?: string; status?: string; reason?: string; message?: string }[]
  }
}

export function clusterPath(namespace: string, name?: string): string {
  const all = `${group}/namespaces/${encodeURIComponent(namespace)}/clusters`
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`
}

/** Adapter: objects of a cluster are read by their optional fields alone. */
export const asCluster = (body: unknown) =>
  (typeof body === 'object' && body !== null ? body : {}) as ClusterObject

/** A message that a cluster answered, or its status. */
export function messageOf({ status, body }: { status: number; body: unknown }): string {
  const { message } = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : `it answered ${status}`
}

/** What is kept of a Cluster. */
export function observe(object: ClusterObject, at: Date): CnpgObserved {
  const { metadata = {}, spec = {}, status = {} } = object
  const phase = status.phase ?? ''
  return {
    at: at.toISOString(),
    uid: metadata.uid ?? '',
    phase,
    phaseReason: status.phaseReason || null,
    isPhaseUnknown: !isKnownPhase(phase),
    instances: spec.instances ?? 1,
    readyInstances: status.readyInstances ?? 0,
    primary: status.currentPrimary || null,
    instanceNames: (status.instanceNames ?? []).slice(0, 50),
    image: status.image ?? spec.imageName ?? null,
    storage: spec.storage?.size ?? null,
    storageClass: spec.storage?.storageClass ?? null,
    backups: backupsOf(spec),
    parameters: spec.postgresql?.parameters ?? {},
  }
}

/** Where a Cluster keeps its backups, as its specification names it; null where it names nothing. */
function backupsOf({ backup, plugins = [] }: NonNullable<ClusterObject['spec']>): string | null {
  const bucket = backup?.barmanObjectStore?.destinationPath
  if (bucket) return `the store ${bucket}`
  const plugin = plugins.find(({ isWALArchiver, enabled }) => isWALArchiver === true && enabled !== false)
  if (plugin?.name) return `the store of the plugin ${plugin.name}`
  return backup?.volumeSnapshot === undefined ? null : 'snapshots of its volumes'
}

/** The secret with the password of the owner, and the database that is the owner's. */
export function ownerSecret({ metadata, spec }: ClusterObject): { secret: string; database: string | null } {
  const ways = Object.values(spec?.bootstrap ?? {})
  const secret = ways.find((way) => way?.secret?.name)?.secret?.name
  const database = ways.find((way) => way?.database)?.database
  return { secret: secret ?? `${metadata?.name ?? ''}-app`, database: database ?? null }
}
