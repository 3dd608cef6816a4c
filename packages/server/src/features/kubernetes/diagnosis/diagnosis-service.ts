import type { CallOutput, MeasuredVolume, ParsedInput } from '@bey/contract'
import { needsAttention, noNamespace } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterSummaries, Connect } from '../connection/ports.ts'
import type { Assessor } from '../health/assessor.ts'
import { healthOfObject, healthOfPod } from '../health/object-health.ts'
import { podEntry } from '../watch/entries.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { Discovery } from '../objects/discovery-cache.ts'
import { unreadable } from '../objects/discovery-cache.ts'
import { explain } from './explain.ts'
import { gather } from './gather.ts'
import { quietHealth } from './quiet-health.ts'
import { rules } from './rules.ts'

const lastingRules = rules.filter(({ isLasting }) => isLasting)

type Of = { organizationId: number; clusterId: number }
type Address = Omit<ParsedInput<'kubernetes.diagnosis'>['params'], 'id'>

export type DiagnosisService = ReturnType<typeof createDiagnosisService>

/** Explains why objects fail. Throws AppError as the other reads of a cluster. */
export function createDiagnosisService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Assessor
  discovery: Discovery
  client: KubeClient
  connect: Connect
  /** What the volume of a claim, as `namespace/name`, holds; null where it was not measured. */
  volumeOf: (clusterId: number, claim: string) => MeasuredVolume | null
  clock: Clock
}) {
  const { clusters, cache, assessor, discovery, client, connect, clock } = deps

  return {
    async diagnose(
      { organizationId, clusterId }: Of,
      address: Address,
    ): Promise<CallOutput<'kubernetes.diagnosis'>> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, address.resource)
      const cached = await cache.readPart(cluster, ['events'], 0)
      const assessment = await assessor.settled(cached)
      const namespace = address.namespace === noNamespace ? '' : address.namespace
      const subject = { kind: info.kind, namespace, name: address.name }
      const asOf = clock.now().toISOString()
      const quiet = quietHealth(info.kind)
      const health = quiet ?? healthOfObject(assessment, subject)
      if (health === null || health.state === 'healthy') return { diagnosis: null, asOf }
      const isTrouble = needsAttention(health) && quiet === null
      const explained = async () => {
        const connection = await connect(organizationId, clusterId)
        const source = {
          client,
          connection,
          cache: cached,
          assessment,
          volumeOf: (claim: string) => deps.volumeOf(clusterId, claim),
          nowMs: clock.now().getTime(),
        }
        const situation = await gather(source, { info, ...subject, health })
        const now =
          info.resource === 'pods' && quiet === null
            ? healthOfPod(podEntry(situation.subject.object), assessment, source.nowMs)
            : health
        // The watch may be a moment behind what was fetched, and count fewer restarts than the page.
        const shown = now.state === health.state ? now : health
        const diagnosis = explain(situation, shown, isTrouble ? rules : lastingRules)
        return { diagnosis: isTrouble || diagnosis.cause ? diagnosis : null, asOf }
      }
      try {
        return await cache.whileAnswering(cluster, explained)
      } catch (error) {
        throw unreadable(cluster.title, error)
      }
    },
  }
}
