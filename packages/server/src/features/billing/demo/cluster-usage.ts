import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import type { DemoCluster } from '../../../platform/demo.ts'
import { quantity, type UsageEvent, type UsageSubject } from '../../../platform/usage/record.ts'
import { nodeType, subjectsOf } from '../meters/clusters.ts'
import type { Tagged } from '../meters/tags.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const gib = 2 ** 30
const nodeSlotMs = 12 * hourMs

type Times = { fromMs: number; toMs: number; random: () => number }

/**
 * What a cluster of a demo used, under the subjects by which its real meter goes on. From `usedFromMs` on everything is
 * metered; before, the requested CPU alone splits the cost, so that a demo is made quickly.
 */
export function clusterUsage(
  cluster: DemoCluster,
  organizationId: number,
  tagsOf: (...ids: readonly string[]) => Tagged,
  { fromMs, toMs, usedFromMs, random }: Times & { usedFromMs: number },
): UsageEvent[] {
  const { id, title, provider, region, labels } = cluster
  const metered = { id, organizationId, name: title, provider, region, labels: { ...labels } }
  const subjects = subjectsOf({ ...metered, createdAtMs: fromMs, deletedAtMs: null }, tagsOf)
  const events: UsageEvent[] = []
  const add = (meter: UsageMeter, thing: string, atMs: number, value: number, subject: UsageSubject) =>
    events.push({
      source: 'demo',
      id: `${id}/${meter}/${thing}/${new Date(atMs).toISOString().slice(0, 13)}`,
      meter,
      value: quantity(value),
      at: new Date(atMs),
      subject,
      isSeeded: true,
    })
  for (const group of cluster.nodeGroups) {
    const size = { cores: group.cpuCores, gib: group.memoryBytes / gib }
    const subject = subjects.node(nodeType(size))
    for (const { atMs, endMs } of slots(fromMs, toMs, nodeSlotMs))
      add('node_hours', group.name, atMs, nodeHours(cluster, group, atMs, endMs), subject)
    for (const { atMs, endMs } of slots(fromMs, toMs, dayMs)) {
      const hours = nodeHours(cluster, group, atMs, endMs)
      add('cpu_capacity', group.name, atMs, hours * size.cores, subject)
      if (atMs >= usedFromMs) add('memory_capacity', group.name, atMs, hours * size.gib, subject)
    }
  }
  for (const { namespace, kind, name, cores, gib: memory } of cluster.workloads) {
    const subject = subjects.workload({ namespace, kind, workload: name })
    const thing = `${namespace}/${kind}/${name}`
    for (const { atMs, endMs } of slots(fromMs, toMs, dayMs)) {
      const hours = (endMs - atMs) / hourMs
      add('cpu_requested', thing, atMs, cores * hours, subject)
      if (atMs < usedFromMs) continue
      add('memory_requested', thing, atMs, memory * hours, subject)
      add('cpu_used', thing, atMs, cores * hours * (0.4 + 0.2 * random()), subject)
      add('memory_used', thing, atMs, memory * hours * (0.6 + 0.1 * random()), subject)
    }
  }
  return events
}

/** Node-hours of a group in a time, as it was scaled in the past. */
function nodeHours(
  { scalings }: Pick<DemoCluster, 'scalings'>,
  group: DemoCluster['nodeGroups'][number],
  fromMs: number,
  toMs: number,
): number {
  const changes = scalings.filter((each) => each.group === group.name)
  const bounds = [fromMs, ...changes.map(({ at }) => at.getTime()), toMs].filter(
    (ms) => ms >= fromMs && ms <= toMs,
  )
  return bounds.slice(1).reduce((sum, endMs, index) => {
    const beginMs = bounds[index] ?? endMs
    const next = changes.find(({ at }) => at.getTime() >= endMs)
    return sum + ((next?.from ?? group.count) * (endMs - beginMs)) / hourMs
  }, 0)
}

/** Slots of UTC between two times; the last ends where the time does. */
export function slots(fromMs: number, toMs: number, stepMs: number): { atMs: number; endMs: number }[] {
  const all: { atMs: number; endMs: number }[] = []
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs)
    all.push({ atMs, endMs: Math.min(toMs, atMs + stepMs) })
  return all
}
