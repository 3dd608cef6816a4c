import { createHash } from 'node:crypto'
import { bytes, millicores, quantity } from '@bey/contract/kubernetes/quantity'
import type { NamespaceFacts } from '../health/namespace-health.ts'
import type { NodeFacts } from '../health/node-health.ts'
import type { PodFacts } from '../health/pod-health.ts'
import { conditionsOf, podFacts, timeMs } from './facts.ts'
import type { ContainerSpec, Event, KubeObject, Namespace, Node, Pod } from './kube-types.ts'
import { isTerminal, podSummary } from './pod-status.ts'
import { type PodReads, podReads } from './pod-reads.ts'
import { createSharedValues, sharedText } from './shared-values.ts'

/** Labels of an object; one shared value for the many that have none. */
export type Labels = Readonly<Record<string, string>>

const noLabels: Labels = {}

/** By their JSON: the pods of a replica set all have the same. */
const sharedLabels = createSharedValues((json: string) => JSON.parse(json) as Labels)

export function labelsOf({ metadata }: KubeObject): Labels {
  return metadata?.labels ? sharedLabels(JSON.stringify(metadata.labels)) : noLabels
}

/** What is kept of an object: the fields that are shown, a tenth of its size. */
export type Entry = { uid: string; name: string; namespace: string; createdAt: string | null }

/** What of a pod network policies depend on; one shared value for all replicas. */
type PodNetwork = {
  isHostNetwork: boolean
  ports: readonly { name?: string; port: number; protocol: 'TCP' | 'UDP' | 'SCTP' }[]
}

export type PodEntry = Entry & {
  labels: Labels
  status: string
  phase: string
  ready: number
  total: number
  restarts: number
  node: string | null
  ip: string | null
  owner: string | null
  /** Succeeded and failed pods hold nothing of their node any more. */
  isTerminal: boolean
  cpuMillicores: number
  memoryBytes: number
  /** What it may use at most; null where one of its containers has no limit. */
  cpuLimitMillicores: number | null
  memoryLimitBytes: number | null
  /** Names of the persistent volume claims that it uses. */
  claims: readonly string[]
  /** Config maps and secrets that it reads; null where none. Missing in what was kept before this was read. */
  reads?: PodReads | null
  /** Where it has more than one address: all of them. */
  ips: readonly string[] | null
  network: PodNetwork
  facts: PodFacts
}

export type NodeEntry = Entry & {
  labels: Labels
  status: string
  isReady: boolean
  isSchedulable: boolean
  roles: string[]
  version: string
  internalIp: string | null
  zone: string | null
  cpuMillicores: number
  memoryBytes: number
  maxPods: number
  /** Another one whenever labels, annotations or spec were written; the same for all that a kubelet reports. */
  written: string
  facts: NodeFacts
}

export type NamespaceEntry = Entry & { phase: string; labels: Labels; facts: NamespaceFacts }

export type EventEntry = Entry & {
  type: string
  reason: string
  message: string
  object: string
  count: number
  firstSeenAt: string | null
  lastSeenAt: string | null
}

const textMax = 1024

export function baseEntry({ metadata = {} }: KubeObject): Entry {
  return {
    uid: metadata.uid ?? '',
    name: metadata.name ?? '',
    namespace: sharedText(metadata.namespace ?? ''),
    createdAt: time(metadata.creationTimestamp),
  }
}

export function podEntry(pod: Pod): PodEntry {
  const { spec = {}, status = {}, metadata } = pod
  const owner = metadata?.ownerReferences?.find((reference) => reference.controller)
  const summary = podSummary(pod)
  return {
    ...baseEntry(pod),
    ...summary,
    status: sharedText(summary.status),
    labels: labelsOf(pod),
    phase: sharedText(status.phase ?? 'Unknown'),
    node: spec.nodeName ? sharedText(spec.nodeName) : null,
    ip: status.podIP || null,
    owner: owner ? sharedText(`${owner.kind}/${owner.name}`) : null,
    isTerminal: isTerminal(status.phase),
    cpuMillicores: podRequest(spec, 'cpu', millicores),
    memoryBytes: podRequest(spec, 'memory', bytes),
    cpuLimitMillicores: podLimit(spec, 'cpu', millicores),
    memoryLimitBytes: podLimit(spec, 'memory', bytes),
    claims: claimsOf(pod),
    reads: podReads(pod),
    ips: status.podIPs && status.podIPs.length > 1 ? status.podIPs.flatMap(({ ip }) => ip ?? []) : null,
    network: podNetwork(pod),
    facts: podFacts(pod),
  }
}

const sharedNetwork = createSharedValues((json: string) => JSON.parse(json) as PodNetwork)

function podNetwork({ spec = {} }: Pod): PodNetwork {
  const ports = (spec.containers ?? []).flatMap((container) =>
    (container.ports ?? []).flatMap(({ name, containerPort: port, protocol = 'TCP' }) =>
      port === undefined ? [] : { name, port, protocol },
    ),
  )
  return sharedNetwork(JSON.stringify({ isHostNetwork: spec.hostNetwork === true, ports }))
}

const noClaims: readonly string[] = []

function claimsOf({ metadata, spec }: Pod): readonly string[] {
  const names = spec?.volumes?.flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) =>
    // The claim of an ephemeral volume is named after its pod.
    ephemeral ? `${metadata?.name}-${name}` : (claim?.claimName ?? []),
  )
  return names?.length ? names : noClaims
}

/**
 * What a pod takes of its node, as the scheduler counts: its containers and sidecars together, or what the
 * hungriest init container needs beside the sidecars started before it, if that is more; and the overhead.
 */
function podRequest(
  spec: NonNullable<Pod['spec']>,
  resource: string,
  read: (text?: string) => number,
): number {
  const of = (container: ContainerSpec) => read(container.resources?.requests?.[resource] ?? '0')
  let running = 0
  for (const container of spec.containers ?? []) running += of(container)
  let sidecars = 0
  let peak = 0
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      sidecars += of(container)
      peak = Math.max(peak, sidecars)
    } else peak = Math.max(peak, sidecars + of(container))
  }
  return Math.max(running + sidecars, peak) + read(spec.overhead?.[resource] ?? '0')
}

/** What its containers and sidecars may use together; null if one of them may use what it likes. */
function podLimit(
  spec: NonNullable<Pod['spec']>,
  resource: string,
  read: (text?: string) => number,
): number | null {
  const sidecars = spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? []
  let sum = 0
  for (const { resources } of [...(spec.containers ?? []), ...sidecars]) {
    const limit = resources?.limits?.[resource]
    if (limit === undefined) return null
    sum += read(limit)
  }
  return sum
}

const rolePrefix = 'node-role.kubernetes.io/'

export function nodeEntry(node: Node): NodeEntry {
  const { status = {}, spec, metadata } = node
  const ready = status.conditions?.find((condition) => condition.type === 'Ready')?.status
  const labels = metadata?.labels ?? {}
  const isSchedulable = spec?.unschedulable !== true
  const word = ready === 'True' ? 'Ready' : ready === 'False' ? 'NotReady' : 'Unknown'
  return {
    ...baseEntry(node),
    labels: labelsOf(node),
    status: isSchedulable ? word : `${word},SchedulingDisabled`,
    isReady: ready === 'True',
    isSchedulable,
    roles: Object.keys(labels)
      .filter((label) => label.startsWith(rolePrefix) && label.length > rolePrefix.length)
      .map((label) => label.slice(rolePrefix.length))
      .toSorted(),
    version: status.nodeInfo?.kubeletVersion ?? '',
    internalIp: status.addresses?.find((address) => address.type === 'InternalIP')?.address ?? null,
    zone: labels['topology.kubernetes.io/zone'] ?? null,
    cpuMillicores: millicores(status.allocatable?.['cpu']),
    memoryBytes: bytes(status.allocatable?.['memory']),
    maxPods: quantity(status.allocatable?.['pods']),
    written: digest([metadata?.labels, metadata?.annotations, spec]),
    facts: {
      isSchedulable,
      createdAtMs: timeMs(metadata?.creationTimestamp),
      conditions: conditionsOf(status.conditions),
    },
  }
}

const digest = (value: unknown) => createHash('sha1').update(JSON.stringify(value)).digest('base64url')

export function namespaceEntry(namespace: Namespace): NamespaceEntry {
  const phase = namespace.status?.phase ?? 'Active'
  const deletedAtMs = timeMs(namespace.metadata?.deletionTimestamp)
  return { ...baseEntry(namespace), phase, labels: labelsOf(namespace), facts: { phase, deletedAtMs } }
}

export function eventEntry(event: Event): EventEntry {
  const { series, involvedObject: object } = event
  const first = time(event.firstTimestamp) ?? time(event.eventTime) ?? time(event.metadata?.creationTimestamp)
  const last = time(series?.lastObservedTime) ?? time(event.lastTimestamp) ?? time(event.eventTime)
  return {
    ...baseEntry(event),
    type: sharedText(event.type ?? 'Normal'),
    reason: sharedText(event.reason ?? ''),
    message: (event.message ?? '').slice(0, textMax),
    object: sharedText(`${object?.kind ?? ''}/${object?.name ?? ''}`),
    count: series?.count ?? (event.count || 1),
    firstSeenAt: first,
    lastSeenAt: last ?? first,
  }
}

/** RFC 3339 in UTC with milliseconds, so that texts sort like times; null for what is no time. */
function time(text: string | null | undefined): string | null {
  return text ? isoTime(text) : null
}

const isoTime = createSharedValues((text: string) => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
})
