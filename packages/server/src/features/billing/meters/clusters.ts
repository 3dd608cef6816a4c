import { clusterMetrics } from '@bey/contract/metrics/names'
import { entityResourceId, objectResourceId } from '@bey/contract/resources/kinds'
import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { quantity, recordUsage, type UsageEvent, type UsageSubject } from '../../../platform/usage/record.ts'
import type { BillingParts } from '../parts.ts'
import { gapsOf, hoursByQuarter, minuteMs, nextQuarters, quarterMs, saveMark } from './quarters.ts'
import { readTags, type Tagged } from './tags.ts'

export type MeteredCluster = {
  id: number
  organizationId: number
  name: string
  provider: string
  region: string | null
  labels: Record<string, string>
  createdAtMs: number
  deletedAtMs: number | null
}

type Labels = Record<string, string>

const gib = 2 ** 30
/** Series that are read at once: times the minutes of two hours, a million numbers. */
const chunk = 4_000

/** Of nodes: what they offer. Of workloads: what they request and use. In cores and GiB. */
const meterOf: Readonly<Record<string, { meter: UsageMeter; per: number; label: 'node' | 'workload' }>> = {
  [clusterMetrics.cpuAllocatable]: { meter: 'cpu_capacity', per: 1_000, label: 'node' },
  [clusterMetrics.memoryAllocatable]: { meter: 'memory_capacity', per: gib, label: 'node' },
  [clusterMetrics.cpuRequested]: { meter: 'cpu_requested', per: 1_000, label: 'workload' },
  [clusterMetrics.cpuUsed]: { meter: 'cpu_used', per: 1_000, label: 'workload' },
  [clusterMetrics.memoryRequested]: { meter: 'memory_requested', per: gib, label: 'workload' },
  [clusterMetrics.memoryUsed]: { meter: 'memory_used', per: gib, label: 'workload' },
}

/**
 * Meters closed quarters of an hour of a cluster from its measurements. The ids of the events name cluster, thing and
 * quarter, so that a crash or a second server counts nothing twice. Answers whether there may be more to do.
 */
export async function meterCluster(
  { database, metrics }: Pick<BillingParts, 'database' | 'metrics'>,
  cluster: MeteredCluster,
  nowMs: number,
): Promise<boolean> {
  const { id, organizationId, name } = cluster
  const metered = { type: 'cluster', id: String(id), name } as const
  const { quarters, series, tagsOf } = await database.readTenant(organizationId, async (db) => ({
    quarters: await nextQuarters(db, organizationId, metered, cluster.createdAtMs, nowMs),
    series: await listSeries(db, organizationId, id),
    tagsOf: await readTags(db, organizationId),
  }))
  if (quarters === undefined) return false
  const { fromMs, toMs, skipped } = quarters
  const range = { fromMs, toMs, stepMs: minuteMs }
  const entity = { type: 'cluster', id: String(id) }
  const subjects = subjectsOf(cluster, tagsOf)
  const events: UsageEvent[] = []
  const capacity = new Map<string, { cores: number; gib: number }>()
  const nodes = new Map<string, number[]>()
  const found: { meter: UsageMeter; isNode: boolean; thing: string; labels: Labels; hours: number[] }[] = []

  for (let from = 0; from < series.length; from += chunk) {
    const asked = series.slice(from, from + chunk)
    const points = await metrics.read(
      organizationId,
      asked.map((each) => ({ entity, ...each })),
      range,
    )
    asked.forEach(({ metric, labels }, index) => {
      const rule = meterOf[metric]
      const minutes = points[index]?.averages ?? []
      if (rule === undefined) return
      const thing = rule.label === 'node' ? labels['node'] : workloadOf(labels)
      if (thing === undefined) return
      if (rule.label === 'node') {
        const largest = minutes.reduce<number>((max, value) => Math.max(max, value ?? 0), 0) / rule.per
        const known = capacity.get(thing) ?? { cores: 0, gib: 0 }
        capacity.set(
          thing,
          rule.meter === 'cpu_capacity' ? { ...known, cores: largest } : { ...known, gib: largest },
        )
        // A node is there in the minutes in which its capacity was measured.
        if (rule.meter === 'cpu_capacity') {
          nodes.set(thing, hoursByQuarter(minutes.map((value) => (value === null ? null : 1))))
        }
      }
      const hours = hoursByQuarter(minutes).map((value) => value / rule.per)
      found.push({ meter: rule.meter, isNode: rule.label === 'node', thing, labels, hours })
    })
  }
  // Once the size of every node is known, which its type and so its subject depend on.
  for (const { meter, isNode, thing, labels, hours } of found) {
    const subject = isNode ? subjects.node(nodeType(capacity.get(thing))) : subjects.workload(labels)
    hours.forEach((value, quarter) => {
      if (value > 0) events.push({ ...eventOf(meter, thing, quarter), value: quantity(value), subject })
    })
  }
  for (const [node, hours] of nodes) {
    hours.forEach((value, quarter) => {
      if (value === 0) return
      events.push({
        ...eventOf('node_hours', node, quarter),
        value: quantity(value),
        subject: subjects.node(nodeType(capacity.get(node))),
      })
    })
  }

  const [whole] = await metrics.read(organizationId, [{ entity, metric: clusterMetrics.nodes }], range)
  const minutes = whole?.averages ?? []
  const gaps = [...skipped, ...gapsOf(minutes, fromMs, await firstSampleMs(minutes))]
  await database.withTenant(organizationId, async (db) => {
    for (let from = 0; from < events.length; from += chunk)
      await recordUsage(db, organizationId, events.slice(from, from + chunk))
    await saveMark(db, organizationId, metered, toMs, cluster.deletedAtMs === null ? gaps : [])
  })
  return true

  function eventOf(meter: UsageMeter, thing: string, quarter: number) {
    const atMs = fromMs + quarter * quarterMs
    const eventId = `${id}/${meter}/${thing}/${new Date(atMs).toISOString().slice(0, 16)}`
    return { source: 'cluster', id: eventId, meter, at: new Date(atMs) }
  }

  /** From when gaps count: a cluster that was never measured before begins with its first sample. */
  async function firstSampleMs(minutes: readonly (number | null)[]): Promise<number> {
    const wasMetered = await database.readTenant(organizationId, (db) =>
      hasMark(db, organizationId, String(id)),
    )
    if (wasMetered) return fromMs
    const first = minutes.findIndex((value) => value !== null)
    return first === -1 ? Infinity : fromMs + first * minuteMs
  }
}

const workloadOf = ({ namespace, kind, workload }: Labels): string | undefined =>
  namespace === undefined || kind === undefined || workload === undefined
    ? undefined
    : `${namespace}/${kind}/${workload}`

/** `16x64`: cores and GiB, each rounded up, for a node keeps part of both to itself. */
export function nodeType(capacity: { cores: number; gib: number } | undefined): string | undefined {
  if (capacity === undefined || capacity.cores === 0) return undefined
  return `${Math.ceil(capacity.cores)}x${Math.ceil(capacity.gib)}`
}

/** Subjects of a cluster, the same object for the same thing. */
export function subjectsOf(cluster: MeteredCluster, tagsOf: (...ids: readonly string[]) => Tagged) {
  const { id, name, provider, region } = cluster
  const of = { cluster: { id, name } }
  const clusterId = entityResourceId('cluster', id)
  const made = new Map<string, UsageSubject>()
  const kept = (key: string, make: () => UsageSubject) => {
    const found = made.get(key) ?? make()
    made.set(key, found)
    return found
  }
  return {
    node: (type: string | undefined) =>
      kept(`node ${type}`, () => {
        const { owner, labels } = tagsOf(clusterId)
        return {
          ...of,
          provider,
          ...(region !== null && { region }),
          nodeType: type,
          owner,
          labels: { ...cluster.labels, ...labels },
        }
      }),
    workload: (named: Labels) =>
      kept(`workload ${workloadOf(named)}`, () => {
        const { namespace = '', kind = '', workload = '' } = named
        const object = (objectKind: string, space: string, called: string) =>
          objectResourceId({ kind: objectKind, clusterId: id, namespace: space, name: called })
        const { owner, labels } = tagsOf(
          object(kind.toLowerCase(), namespace, workload),
          object('namespace', '', namespace),
          clusterId,
        )
        return {
          ...of,
          namespace,
          workload: `${kind}/${workload}`,
          owner,
          labels: { ...cluster.labels, ...labels },
        }
      }),
  }
}

/** Series of a cluster that are metered: of its nodes and of its workloads. */
export async function listSeries(
  db: Db,
  organizationId: number,
  id: number,
): Promise<{ metric: string; labels: Labels }[]> {
  const { rows } = await db.execute<{ metric: string; labels: Labels }>(sql`
    select metric, labels from metric_series
    where organization_id = ${organizationId} and entity_type = 'cluster' and entity_id = ${String(id)}
      and ((metric = any(${sql.param([clusterMetrics.cpuAllocatable, clusterMetrics.memoryAllocatable])}::text[]) and labels ? 'node')
        or (metric = any(${sql.param([clusterMetrics.cpuRequested, clusterMetrics.cpuUsed, clusterMetrics.memoryRequested, clusterMetrics.memoryUsed])}::text[])
          and labels ? 'workload'))
    order by metric, labels::text`)
  return rows
}

async function hasMark(db: Db, organizationId: number, id: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from usage_marks where organization_id = ${organizationId} and entity_type = 'cluster' and entity_id = ${id}`)
  return rows.length > 0
}
