import type { MeasuredVolume } from '@bey/contract'
import { volumeShare } from '@bey/contract'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import type { MeasuredClaim } from './stats-summary.ts'
import { claimsInSummary } from './stats-summary.ts'

/** What asking the kubelets of a cluster gave. */
export type VolumeAnswers = {
  /** By claim, as `namespace/name`. */
  volumes: ReadonlyMap<string, MeasuredVolume>
  /** Nodes that gave no figures, and why in words that follow "… gives no figures: ". */
  silentNodes: ReadonlyMap<string, string>
  /** The account may not ask any node. */
  isRefused: boolean
}

/** Kubelets that are asked at once: each answers with up to a megabyte. */
const maxAtOnce = 8
const nodeTimeoutMs = 5_000
/** Of a node with 110 pods about 400 KB. */
const maxSummaryBytes = 8 * 1024 * 1024
/** What was not asked by then is asked in the next round. */
const roundMs = 30_000

/**
 * Asks the kubelets of these nodes, through the proxy of the cluster, what the volumes of their pods hold. Never throws
 * for what a node answers; a refusal ends the round, since it is the same for every node.
 */
export async function measureVolumes(
  client: Pick<KubeClient, 'get'>,
  connection: ClusterConnection,
  nodes: Iterable<string>,
  nowMs: () => number,
): Promise<VolumeAnswers> {
  const waiting = [...nodes]
  const volumes = new Map<string, MeasuredVolume>()
  const silentNodes = new Map<string, string>()
  const endsAtMs = nowMs() + roundMs
  let isRefused = false

  async function ask(node: string): Promise<void> {
    try {
      const path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy/stats/summary`
      const options = { timeoutMs: nodeTimeoutMs, maxBytes: maxSummaryBytes }
      const answer = await client.get(connection, path, AbortSignal.timeout(2 * nodeTimeoutMs), options)
      for (const each of claimsInSummary(answer)) keepFuller(volumes, each)
    } catch (error) {
      if (error instanceof KubeError && (error.status === 403 || error.status === 401)) isRefused = true
      else silentNodes.set(node, reasonOf(error))
    }
  }

  async function work(): Promise<void> {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (isRefused) return
      if (nowMs() > endsAtMs) silentNodes.set(node, 'too many nodes were slow to answer')
      else await ask(node)
    }
  }

  await Promise.all(Array.from({ length: Math.min(maxAtOnce, waiting.length) }, work))
  return { volumes, silentNodes, isRefused }
}

/** A volume that several nodes mount was measured by each at another moment. */
function keepFuller(volumes: Map<string, MeasuredVolume>, { claim, volume }: MeasuredClaim): void {
  const known = volumes.get(claim)
  if (!known || volumeShare(volume) > volumeShare(known)) volumes.set(claim, volume)
}

function reasonOf(error: unknown): string {
  if (error instanceof KubeError) {
    return error.status === 404
      ? 'it has no statistics'
      : `the cluster could not reach its kubelet (status ${error.status})`
  }
  return whyUnreachable(error)
}
