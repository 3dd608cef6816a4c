import { AppError } from '../../../platform/errors.ts'
import type { ClusterConnection, ClusterSummaries, Connect } from '../../kubernetes/connection/ports.ts'
import type { KubeAnswer, KubeRequest, KubeSender } from '../../kubernetes/connection/kube-sender.ts'

/** What this feature needs of clusters. */
export type SyncClusters = {
  find: ClusterSummaries['find']
  connect: Connect
  send: KubeSender
}

/** Why a copy cannot be written or read now, in words for people; it is tried again. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure'
}

export type Cluster = (request: KubeRequest) => Promise<KubeAnswer>

/** One cluster to speak to. Throws SyncFailure where it cannot be reached, now or when it is asked. */
export async function openCluster(
  { connect, send }: SyncClusters,
  organizationId: number,
  clusterId: number,
): Promise<Cluster> {
  const connection = await orFailure<ClusterConnection>(() => connect(organizationId, clusterId))
  return (request) => orFailure(() => send(connection, request))
}

async function orFailure<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const isForPeople =
      cause instanceof AppError ||
      (cause instanceof Error && cause.message.startsWith('The cluster does not answer'))
    if (isForPeople) throw new SyncFailure(cause.message, { cause })
    throw cause
  }
}

/** What a refusal of the Kubernetes API says; its message names no value. */
export function refusalOf({ status, body }: KubeAnswer, doing: string): SyncFailure {
  const code = `The cluster refuses to ${doing} (${status}`
  if (status === 403) return new SyncFailure(`${code}): Bey has not the right to.`)
  if (status === 422) return new SyncFailure(`${code}): it does not accept the Secret as it is written.`)
  const reason =
    typeof body === 'object' && body !== null && 'reason' in body && typeof body.reason === 'string'
      ? ` ${body.reason}`
      : ''
  return new SyncFailure(`${code}${reason}).`)
}
