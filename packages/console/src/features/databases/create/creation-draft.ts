import {
  type CallInput,
  type DatabasePlanId,
  type DatabaseProviderId,
  databaseNameRule,
  isValidDatabaseName,
  networkProblem,
} from '@bey/contract'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'
import type { AllowListRow } from '../changes/allow-list-fields.tsx'
import { connectionOf, type emptyConnection } from '../connection-fields.tsx'
import { clusterBody, type ClusterDraft, clusterProblems } from '../cluster/cluster-draft.ts'

/** What is asked of every new database, and the size of one on this machine. */
export interface CreationDraft {
  provider: DatabaseProviderId
  name: string
  description: string
  plan: DatabasePlanId
  isProtected: boolean
}

export type CreationBody = NonNullable<CallInput<'databases.create'>['body']>

/** What a database on a cluster is created with beside its Cluster. */
export type ClusterBody = Pick<CreationBody, 'backups' | 'extensions'>

/** What only a database of this machine is created with. */
type EmbeddedBody = Pick<
  CreationBody,
  'backups' | 'allowList' | 'parameters' | 'extensions' | 'diskQuotaBytes'
>

export const networkProblems = (rows: readonly AllowListRow[]): Record<string, string> =>
  rows.some(({ cidr }) => networkProblem(cidr) !== undefined)
    ? { allowList: 'Write each network as an address and a length.' }
    : {}

export function problemsOf(
  { provider, name }: CreationDraft,
  { uri }: typeof emptyConnection,
  cluster: ClusterDraft,
): Record<string, string> {
  const trimmed = name.trim()
  return {
    ...(trimmed === ''
      ? { name: 'Enter a name for the database.' }
      : isValidDatabaseName(trimmed)
        ? {}
        : { name: databaseNameRule }),
    ...(provider === 'external' && uri.trim() === ''
      ? { 'connection.uri': 'Enter a connection string.' }
      : {}),
    ...(provider === 'cnpg' ? clusterProblems(cluster) : {}),
  }
}

/** What is sent; undefined while there is no cluster to create it on. */
export function bodyOf(
  draft: CreationDraft,
  connection: typeof emptyConnection,
  cluster: ClusterDraft,
  place: DatabaseClusterPlace | undefined,
  { embedded, onCluster }: { embedded: EmbeddedBody; onCluster: ClusterBody },
) {
  const { name, description: about, plan, isProtected } = draft
  const common = { name: name.trim(), description: about, isProtected }
  if (draft.provider === 'cnpg') {
    if (place === undefined) return undefined
    return { ...common, provider: 'cnpg', cluster: clusterBody(cluster, place), ...onCluster } as const
  }
  return draft.provider === 'embedded'
    ? ({ ...common, provider: 'embedded', plan, ...embedded } as const)
    : ({ ...common, provider: 'external', connection: connectionOf(connection) } as const)
}

/** What is shown beforehand of a database on a cluster. */
export const previewBody = ({
  name,
  cluster,
  backups,
  extensions,
}: ClusterBody & Pick<NonNullable<CallInput<'databases.preview'>['body']>, 'name' | 'cluster'>) => ({
  name,
  cluster,
  ...(backups !== undefined && { backups }),
  ...(extensions !== undefined && { extensions }),
})
