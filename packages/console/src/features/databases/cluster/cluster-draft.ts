import type { ClusterVersion } from '@bey/contract'
import {
  clusterVersions,
  kubernetesName,
  kubernetesNameRule,
  parseParameters,
  volumeBytes,
  volumeSizeRule,
} from '@bey/contract'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'

/** What is typed of a database on a cluster. */
export interface ClusterDraft {
  /** Undefined: the first where one can be made. */
  clusterId: number | undefined
  namespace: string
  instances: number
  storage: string
  /** Empty: the default one of the cluster. */
  storageClass: string
  /** Empty: what the operator chooses. */
  version: ClusterVersion | ''
  /** Lines `name = value`. */
  parameters: string
  /** Of those that each image of CloudNativePG brings. */
  extensions: readonly string[]
  /** The target of its backups; null: none. Undefined: nobody chose. */
  targetId: string | null | undefined
}

export const emptyCluster: ClusterDraft = {
  clusterId: undefined,
  namespace: '',
  instances: 2,
  storage: '10Gi',
  storageClass: '',
  version: clusterVersions[0],
  parameters: '',
  extensions: [],
  targetId: undefined,
}

/** The cluster that is chosen, or the first where a database can be made. */
export const chosenPlace = (
  places: readonly DatabaseClusterPlace[],
  { clusterId }: ClusterDraft,
): DatabaseClusterPlace | undefined =>
  places.find(({ id }) => id === clusterId) ?? places.find(({ problem }) => problem === null) ?? places[0]

/** What the form itself finds wrong, by the path that the server gives each field. */
export function clusterProblems(draft: ClusterDraft): Record<string, string> {
  const { namespace, storage, parameters } = draft
  const parameterProblem = problemOfParameters(parameters)
  return {
    ...(kubernetesName.test(namespace.trim())
      ? {}
      : { 'cluster.namespace': namespace.trim() === '' ? 'Choose a namespace.' : kubernetesNameRule }),
    ...(volumeBytes(storage.trim()) === undefined ? { 'cluster.storage': volumeSizeRule } : {}),
    ...(parameterProblem === undefined ? {} : { 'cluster.parameters': parameterProblem }),
  }
}

export function problemOfParameters(text: string): string | undefined {
  try {
    parseParameters(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Parameters as far as they can be read. */
export const parametersOf = (text: string): Record<string, string> =>
  problemOfParameters(text) === undefined ? parseParameters(text) : {}

/** A draft without problems as it is sent. */
export function clusterBody(draft: ClusterDraft, place: Pick<DatabaseClusterPlace, 'id'>) {
  const { namespace, instances, storage, storageClass, version, parameters } = draft
  return {
    clusterId: place.id,
    namespace: namespace.trim(),
    instances,
    storage: storage.trim(),
    ...(storageClass !== '' && { storageClass }),
    ...(version !== '' && { version }),
    parameters: parseParameters(parameters),
  }
}
