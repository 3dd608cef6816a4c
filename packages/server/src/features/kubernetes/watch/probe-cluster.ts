import { AppError } from '../../../platform/errors.ts'
import { BadAnswer } from '../connection/bad-answer.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from './kube-client.ts'
import { KubeError, reasonOf } from './kube-client.ts'
import { objectFormat } from './list-format.ts'

/** Which cluster answered, as far as it lets Bey know, and the version at which it was. */
export type ClusterIdentity = {
  /** Of the namespace `kube-system`: no other cluster has it. Null where that namespace does not exist. */
  uid: string | null
  version: string
}

/**
 * What one request says of a cluster. `identity` is undefined where Bey may not ask for it. `isGone`: there is no such
 * cluster to be reached any more. `isSilent`: it accepted the request and did not answer it in time.
 */
export type ProbeResult =
  | { answers: true; identity: ClusterIdentity | undefined }
  | { answers: false; reason: string; isGone: boolean; isSilent: boolean }

/** A list of one object, which API servers read from their store: its version is that of this moment. */
export const probePath = '/api/v1/namespaces?fieldSelector=metadata.name%3Dkube-system&limit=1'

/** How long a cluster may take to answer one small request. */
const probeTimeoutMs = 5_000
/** Together with that, every screen knows within 15 s that a cluster does not answer. */
export const probePeriodMs = 8_000

/** Asks a cluster for one small list. Never throws. */
export async function probeCluster(
  client: Pick<KubeClient, 'get'>,
  connection: ClusterConnection,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const late = AbortSignal.timeout(probeTimeoutMs)
  try {
    const body = await client.get(connection, probePath, AbortSignal.any([signal, late]), {
      timeoutMs: probeTimeoutMs,
      maxBytes: 8 * 1024 * 1024,
    })
    return { answers: true, identity: identityIn(body) }
  } catch (error) {
    // What may not be read is answered, and so is a request too many.
    if (error instanceof KubeError && (error.status === 403 || error.status === 429))
      return { answers: true, identity: undefined }
    if (late.aborted) return { answers: false, reason: 'it took too long', isGone: false, isSilent: true }
    return { ...failedProbe(error), isSilent: isTimeout(error) }
  }
}

/** The same of a cluster that could not even be asked. */
export function failedProbe(error: unknown): Extract<ProbeResult, { answers: false }> {
  const isGone = error instanceof AppError && (error.code === 'not_found' || error.code === 'conflict')
  return { answers: false, reason: reasonOf(error), isGone, isSilent: false }
}

function identityIn(body: unknown): ClusterIdentity {
  const page = objectFormat.page(body)
  if (!page) throw new BadAnswer('its answer is no list of Kubernetes objects')
  const system = page.objects.find(({ metadata }) => metadata?.name === 'kube-system')
  return { uid: system?.metadata?.uid ?? null, version: page.resourceVersion }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'
}

/** Whether a version lies before another of the same cluster. False where they cannot be compared. */
export function isBefore(version: string, other: string): boolean {
  return isNumber(version) && isNumber(other) && BigInt(version) < BigInt(other)
}

const isNumber = (text: string) => /^\d{1,30}$/.test(text)
