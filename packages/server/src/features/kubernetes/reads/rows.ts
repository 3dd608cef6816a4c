import type { EventRow, Health, NodeRow, PodRow, WorkloadRow } from '@bey/contract'
import type { AssessedWorkload } from '../health/assess-workloads.ts'
import type { EventEntry, NodeEntry, PodEntry } from '../watch/entries.ts'
import type { Requested } from './figures.ts'
import type { NodeUsage } from '../metrics/usage.ts'

/** Of what was not looked at. */
export const notLookedAt: Health = {
  state: 'unknown',
  reason: 'NotReadable',
  detail: 'checking…',
  since: null,
  object: null,
}

export function podRow(pod: PodEntry, health: Health = notLookedAt): PodRow {
  const { uid, name, namespace, status, phase, restarts, node, ip, owner, createdAt } = pod
  const ready = { ready: pod.ready, total: pod.total }
  return { uid, name, namespace, status, phase, health, ready, restarts, node, ip, owner, createdAt }
}

export function workloadRow({ verdict, images, labels: _labels, ...row }: AssessedWorkload): WorkloadRow {
  return { ...row, images: [...images], health: verdict.health, affected: verdict.affected }
}

export function eventRow(event: EventEntry): EventRow {
  const { uid, type, reason, message, namespace, object, count, firstSeenAt, lastSeenAt } = event
  return { uid, type, reason, message, namespace, object, count, firstSeenAt, lastSeenAt }
}

export function nodeRow(
  node: NodeEntry,
  health: Health,
  requested: Requested | undefined,
  used: NodeUsage | undefined,
  failing: Pick<NodeRow, 'failingCount' | 'failing'>,
): NodeRow {
  const { uid, name, status, isSchedulable, roles, version, internalIp, zone, createdAt } = node
  return {
    uid,
    name,
    status,
    health,
    isSchedulable,
    roles,
    version,
    internalIp,
    zone,
    podCount: requested?.pods ?? 0,
    ...failing,
    cpu: {
      requested: requested?.cpuMillicores ?? 0,
      allocatable: node.cpuMillicores,
      used: used?.cpuMillicores ?? null,
    },
    memory: {
      requested: requested?.memoryBytes ?? 0,
      allocatable: node.memoryBytes,
      used: used?.memoryBytes ?? null,
    },
    createdAt,
  }
}
