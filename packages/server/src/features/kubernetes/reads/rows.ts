import type { DeploymentRow, EventRow, NodeRow, PodRow } from '@bey/contract'
import type { DeploymentEntry, EventEntry, NodeEntry, PodEntry } from '../watch/entries.ts'
import type { Requested } from './figures.ts'
import type { NodeUsage } from './usage.ts'

export function podRow(pod: PodEntry): PodRow {
  const { uid, name, namespace, status, phase, restarts, node, ip, owner, createdAt } = pod
  const ready = { ready: pod.ready, total: pod.total }
  return { uid, name, namespace, status, phase, ready, restarts, node, ip, owner, createdAt }
}

export function deploymentRow(deployment: DeploymentEntry): DeploymentRow {
  const { uid, name, namespace, desired, ready, upToDate, available, images, createdAt } = deployment
  return { uid, name, namespace, desired, ready, upToDate, available, images, createdAt }
}

export function eventRow(event: EventEntry): EventRow {
  const { uid, type, reason, message, namespace, object, count, firstSeenAt, lastSeenAt } = event
  return { uid, type, reason, message, namespace, object, count, firstSeenAt, lastSeenAt }
}

export function nodeRow(
  node: NodeEntry,
  requested: Requested | undefined,
  used: NodeUsage | undefined,
): NodeRow {
  const { uid, name, status, isSchedulable, roles, version, internalIp, zone, createdAt } = node
  return {
    uid,
    name,
    status,
    isSchedulable,
    roles,
    version,
    internalIp,
    zone,
    podCount: requested?.pods ?? 0,
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
