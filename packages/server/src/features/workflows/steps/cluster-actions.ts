import type { ClusterProviderId, ClusterStatus } from '@bey/contract'

import type { Who } from '../../../platform/act.ts'

/** Clusters as the steps that create and delete them need them; the service of clusters is one. */
export type ClustersPort = {
  create(
    organizationId: number,
    cluster: {
      title: string
      provider: ClusterProviderId
      region?: string | undefined
      version?: string | undefined
    },
    who: Who,
  ): Promise<{ id: number }>
  remove(organizationId: number, id: number, who: Who): Promise<unknown>
  get(
    organizationId: number,
    id: number,
  ): Promise<{ id: number; status: ClusterStatus; error: string | null }>
}
