import { type DecidedMark, oversizedFrom } from '@bey/contract'
import type { Labels, PodEntry } from '../watch/entries.ts'
import type { IngressEntry } from '../watch/ingress-entries.ts'
import type { ServiceEntry } from '../watch/network-entries.ts'
import type { ClaimEntry } from '../watch/workload-entries.ts'

type Volumes = ReadonlyMap<string, { usedBytes: number; capacityBytes: number }>

export type MarkedTables = {
  pods: Iterable<PodEntry>
  services: Iterable<ServiceEntry>
  ingresses: Iterable<IngressEntry>
  /** What volumes held when they were measured last, by `namespace/name` of their claim. */
  volumes: Volumes | undefined
}

const none: readonly DecidedMark[] = []
const exposed: readonly DecidedMark[] = ['exposed']
const orphaned: readonly DecidedMark[] = ['orphaned']
const exposedAndOrphaned: readonly DecidedMark[] = ['exposed', 'orphaned']
const oversized: readonly DecidedMark[] = ['oversized']
const orphanedAndOversized: readonly DecidedMark[] = ['orphaned', 'oversized']

/**
 * What the objects of a cluster say of each other. The answers are shared arrays, so that they can be compared by
 * identity. Replicas share their labels, so that each selector is compared once with all of them.
 */
export function createMarks({ pods, services, ingresses, volumes }: MarkedTables) {
  const labelsIn = new Map<string, Set<Labels>>()
  const usedClaims = new Set<string>()
  for (const { namespace, labels, claims } of pods) {
    const found = labelsIn.get(namespace)
    if (found) found.add(labels)
    else labelsIn.set(namespace, new Set([labels]))
    for (const claim of claims) usedClaims.add(`${namespace}/${claim}`)
  }
  const led = servicesOf(ingresses)
  const exposedLabels = new Map<string, Set<Labels>>()
  const marksOfService = new Map<string, readonly DecidedMark[]>()
  for (const { namespace, name, network } of services) {
    const { type, selector } = network
    const isExposed = type === 'LoadBalancer' || type === 'NodePort' || led.has(`${namespace}/${name}`)
    const hasSelector = selector !== undefined && Object.keys(selector).length > 0
    const selected = hasSelector
      ? [...(labelsIn.get(namespace) ?? [])].filter((labels) => isSelected(labels, selector))
      : []
    if (isExposed) {
      const all = exposedLabels.get(namespace) ?? new Set()
      for (const labels of selected) all.add(labels)
      exposedLabels.set(namespace, all)
    }
    const isOrphaned = hasSelector && selected.length === 0
    const marks = isExposed ? (isOrphaned ? exposedAndOrphaned : exposed) : isOrphaned ? orphaned : none
    marksOfService.set(`${namespace}/${name}`, marks)
  }
  return {
    ofPod: ({ namespace, labels }: PodEntry) =>
      exposedLabels.get(namespace)?.has(labels) === true ? exposed : none,
    ofService: ({ namespace, name }: ServiceEntry) => marksOfService.get(`${namespace}/${name}`) ?? none,
    ofIngress: () => exposed,
    ofClaim({ namespace, name }: ClaimEntry) {
      const key = `${namespace}/${name}`
      const volume = volumes?.get(key)
      const isOversized =
        volume !== undefined &&
        volume.capacityBytes >= oversizedFrom.bytes &&
        volume.usedBytes < volume.capacityBytes * oversizedFrom.share
      if (usedClaims.has(key)) return isOversized ? oversized : none
      return isOversized ? orphanedAndOversized : orphaned
    },
    ofOthers: () => none,
  }
}

/** Services that ingresses lead to, as `namespace/name`. */
function servicesOf(ingresses: Iterable<IngressEntry>): ReadonlySet<string> {
  const all = new Set<string>()
  for (const { rules } of ingresses) {
    for (const { paths } of rules) {
      for (const backend of paths.flatMap(({ backends }) => backends)) {
        if (backend.kind === 'Service') all.add(`${backend.namespace}/${backend.name}`)
      }
    }
  }
  return all
}

function isSelected(labels: Labels, selector: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value)
}
