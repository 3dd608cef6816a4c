import { AppError } from '../errors.ts'

export type KubeRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  path: string
  body?: unknown
  /** Of the body; `application/json` by default. */
  contentType?: string
}

/** Status and parsed body of an answer, whatever the status. */
export type KubeAnswer = { status: number; body: unknown }

/** How a cluster is reached and asked; what a connection is made of is the concern of whoever makes it. */
type Door<C> = {
  connect(organizationId: number, clusterId: number): Promise<C>
  send(connection: C, request: KubeRequest): Promise<KubeAnswer>
}

/** Why something cannot be written to or read from a cluster now, in words for people. */
export class ClusterFailure extends Error {
  override readonly name = 'ClusterFailure'
}

export type Cluster = (request: KubeRequest) => Promise<KubeAnswer>

/** One cluster to speak to. Throws ClusterFailure where it cannot be reached, now or when it is asked. */
export async function openCluster<C>(
  { connect, send }: Door<C>,
  organizationId: number,
  clusterId: number,
): Promise<Cluster> {
  const connection = await orFailure(() => connect(organizationId, clusterId))
  return (request) => orFailure(() => send(connection, request))
}

async function orFailure<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const isForPeople =
      cause instanceof AppError ||
      (cause instanceof Error && cause.message.startsWith('The cluster does not answer'))
    if (isForPeople) throw new ClusterFailure(cause.message, { cause })
    throw cause
  }
}

/** What a refusal of the Kubernetes API says; its message names no value. */
export function refusalOf({ status, body }: KubeAnswer, doing: string): ClusterFailure {
  const code = `The cluster refuses to ${doing} (${status}`
  if (status === 403) return new ClusterFailure(`${code}): Bey has not the right to.`)
  if (status === 422) return new ClusterFailure(`${code}): it does not accept the object as it is written.`)
  const reason =
    typeof body === 'object' && body !== null && 'reason' in body && typeof body.reason === 'string'
      ? ` ${body.reason}`
      : ''
  return new ClusterFailure(`${code}${reason}).`)
}
