import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterCalls } from '../connection/cluster-calls.ts'
import { reasonOf } from '../connection/cluster-calls.ts'
import type { PodRef } from './drain-plan.ts'

/** What became of one attempt: `waiting` ones are tried again. */
export type Eviction =
  | { state: 'evicted' }
  | { state: 'gone' }
  | { state: 'waiting'; why: string }
  | { state: 'refused'; why: string }

/**
 * Asks for the eviction of this very pod (Kubernetes API reference, `policy/v1 Eviction`); one that has taken its name
 * since is left alone. 429 means that a disruption budget allows none now.
 */
export async function evictPod(call: ClusterCalls, pod: PodRef, signal: AbortSignal): Promise<Eviction> {
  const { namespace, name, uid } = pod
  const path = `${podPath(pod)}/eviction`
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    deleteOptions: { preconditions: { uid } },
  }
  try {
    const answer = await call('POST', path, { body, signal })
    const { status } = answer
    if (status === 200 || status === 201) return { state: 'evicted' }
    if (status === 404 || status === 409) return { state: 'gone' }
    // Several budgets for one pod, a namespace that ends, a cluster that is busy: it may pass.
    if (status === 429 || status >= 500) return { state: 'waiting', why: reasonOf(answer) }
    return { state: 'refused', why: reasonOf(answer) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return { state: 'waiting', why: `The cluster does not answer: ${whyUnreachable(error)}.` }
  }
}

function podPath({ namespace, name }: Pick<PodRef, 'namespace' | 'name'>): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`
}
