import { entities } from '@bey/contract'
import { clusterMetrics } from '@bey/contract/metrics/names'
import { entityResourceId, objectResourceId } from '@bey/contract/resources/kinds'
import { billingBounds } from '@bey/contract/billing/usage-meters'

import type { Database } from '../../../platform/db/database.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { decimalOf, decimalText, type Decimal } from '../../../platform/decimal.ts'
import { listSeries, type MeteredCluster, nodeType } from '../meters/clusters.ts'
import {
  daysText,
  type Found,
  type FoundSaving,
  hourMs,
  isOwn,
  maxOf,
  measuredTime,
  measuredValues,
  percentile95,
  perMonth,
  priceNow,
  type SavingFacts,
} from './facts.ts'
import { readControlPlanes } from './control-planes.ts'
import { patchPlan, readWorkload, requestPatch } from './workload-patch.ts'

const gib = 2 ** 30
/** What a workload keeps above the 95th percentile of its use, and a cluster above its busiest hour. */
const headroom = 1.2
/** Requests that could shrink by less are not worth a change. */
const minCores = 0.25
const minGib = 0.5
const maxPatches = 100

type Labels = Record<string, string>
type Measured = { labels: Labels; averages: (number | null)[]; maxima: (number | null)[] }

export type Sources = { database: Pick<Database, 'readTenant'>; metrics: Pick<Metrics, 'read'> }

/** Nodes that a cluster does not need, and workloads that request much more than they use. */
export async function clusterSavings(
  { database, metrics }: Sources,
  facts: SavingFacts,
  cluster: MeteredCluster,
): Promise<Found> {
  const { organizationId, id, name } = cluster
  const { series, controlPlanes } = await database.readTenant(organizationId, async (db) => ({
    series: await listSeries(db, organizationId, id),
    controlPlanes: await readControlPlanes(db, organizationId, id),
  }))
  const entity = { type: 'cluster', id: String(id) }
  const read = new Map<string, Measured[]>()
  for (let from = 0; from < series.length; from += 1_000) {
    const asked = series.slice(from, from + 1_000)
    const range = { fromMs: facts.fromMs, toMs: facts.toMs, stepMs: hourMs }
    const points = await metrics.read(
      organizationId,
      asked.map((each) => ({ entity, ...each })),
      range,
    )
    asked.forEach(({ metric, labels }, index) => {
      const { averages = [], maxima = [] } = points[index] ?? {}
      read.set(metric, [...(read.get(metric) ?? []), { labels, averages, maxima }])
    })
  }
  const nodes = currentNodes(read)
  const price = priceOfNodes(facts, cluster, nodes)
  const spare = isOwn(facts, facts.tagsOf(entityResourceId('cluster', id)))
    ? spareNode(facts, cluster, read, { nodes, controlPlanes })
    : { savings: [], notJudged: [] }
  const workloads = await overRequested(database, facts, cluster, read, price)
  return {
    savings: [...spare.savings, ...workloads.savings],
    notJudged: [...spare.notJudged, ...workloads.notJudged].map((text) => `${name}: ${text}`),
  }
}

type Node = { name: string; cores: number; gib: number; type: string | undefined }

/** Nodes that were measured in the last hour that has values. */
function currentNodes(read: ReadonlyMap<string, Measured[]>): Node[] {
  const cpu = read.get(clusterMetrics.cpuAllocatable) ?? []
  const memory = new Map(
    (read.get(clusterMetrics.memoryAllocatable) ?? []).map(({ labels, averages }) => [
      labels['node'],
      averages.at(-1) ?? 0,
    ]),
  )
  return cpu.flatMap(({ labels, averages }) => {
    const now = averages.at(-1)
    if (now == null || labels['node'] === undefined) return []
    const size = { cores: now / 1_000, gib: (memory.get(labels['node']) ?? 0) / gib }
    return [{ name: labels['node'], ...size, type: nodeType(size) }]
  })
}

const nodePrice = (facts: SavingFacts, { provider, region }: MeteredCluster, type: string | undefined) =>
  priceNow(facts, { meter: 'node_hours', provider, region, nodeType: type ?? null })

/** What a core and a GiB cost an hour: half of the price of the nodes each. */
function priceOfNodes(facts: SavingFacts, cluster: MeteredCluster, nodes: readonly Node[]) {
  const cost = nodes.reduce(
    (sum, { type }) => sum + Number(decimalText(nodePrice(facts, cluster, type), 9)),
    0,
  )
  const cores = nodes.reduce((sum, node) => sum + node.cores, 0)
  const memory = nodes.reduce((sum, node) => sum + node.gib, 0)
  return { core: cores === 0 ? 0 : cost / 2 / cores, gib: memory === 0 ? 0 : cost / 2 / memory }
}

/** Values of all workloads by hour; null where nothing was measured. */
function sumByHour(all: readonly Measured[], of: 'averages' | 'maxima'): (number | null)[] {
  const length = maxOf(all.map((each) => each[of].length))
  return Array.from({ length }, (_none, hour) => {
    const values = measuredValues(all.map((each) => each[of][hour] ?? null))
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
  })
}

/** The largest node that could go: what is left holds the busiest hour with a fifth to spare. */
function spareNode(
  facts: SavingFacts,
  cluster: MeteredCluster,
  read: ReadonlyMap<string, Measured[]>,
  { nodes, controlPlanes }: { nodes: readonly Node[]; controlPlanes: ReadonlySet<string> },
): Found {
  if (nodes.length < 2) return { savings: [], notJudged: [] }
  const cpuAsked = sumByHour(read.get(clusterMetrics.cpuRequested) ?? [], 'averages')
  const measured = measuredTime(cpuAsked, facts.fromMs)
  if (measured === undefined) {
    const text = `its nodes were measured for ${daysText(cpuAsked)} days; ${billingBounds.savingsMinDays} are needed.`
    return { savings: [], notJudged: [text] }
  }
  const busiest = (metric: string, per: number) =>
    maxOf(measuredValues(sumByHour(read.get(metric) ?? [], 'averages'))) / per
  const cores = Math.max(busiest(clusterMetrics.cpuRequested, 1_000), busiest(clusterMetrics.cpuUsed, 1_000))
  const memory = Math.max(
    busiest(clusterMetrics.memoryRequested, gib),
    busiest(clusterMetrics.memoryUsed, gib),
  )
  const all = { cores: sum(nodes, 'cores'), gib: sum(nodes, 'gib') }
  const spare = nodes
    .filter(({ name }) => !controlPlanes.has(name))
    .filter((node) => all.cores - node.cores >= cores * headroom && all.gib - node.gib >= memory * headroom)
    .toSorted((a, b) => b.cores - a.cores || a.name.localeCompare(b.name))[0]
  if (spare === undefined) return { savings: [], notJudged: [] }
  const isManaged = cluster.provider !== 'kubeconfig'
  const saving: FoundSaving = {
    id: `spare-node/${cluster.id}/${spare.type ?? 'any'}`,
    kind: 'spare_node',
    title: `${cluster.name} has 1 node too many`,
    detail: `${nodes.length - 1} carry its busiest hour of ${Math.floor(measured.days)} days`,
    clusterId: cluster.id,
    resourceName: cluster.name,
    amount: perMonth(nodePrice(facts, cluster, spare.type), 1),
    isDirect: true,
    evidence: [
      { name: 'Nodes', value: String(nodes.length) },
      { name: 'Cores of all nodes', value: all.cores.toFixed(1) },
      { name: 'Cores in the busiest hour', value: cores.toFixed(1) },
      { name: 'Memory of all nodes', value: `${all.gib.toFixed(1)} GiB` },
      { name: 'Memory in the busiest hour', value: `${memory.toFixed(1)} GiB` },
      { name: 'Type of the node', value: spare.type ?? 'unknown' },
    ],
    measured,
    change: {
      text: `Drain ${spare.name} and scale its group of nodes down by one.`,
      yaml: null,
      path: entities.cluster.paths.detail.replace('{id}', String(cluster.id)),
      refusal: isManaged
        ? null
        : `Bey does not manage the machines of ${cluster.name}. Drain ${spare.name}, and remove its machine where it was made.`,
    },
    plan: isManaged
      ? { kind: 'node', node: spare.name, text: `${spare.name} was removed from ${cluster.name}.` }
      : null,
  }
  return { savings: [saving], notJudged: [] }
}

const sum = (nodes: readonly Node[], of: 'cores' | 'gib') =>
  nodes.reduce((total, node) => total + node[of], 0)

async function overRequested(
  database: Sources['database'],
  facts: SavingFacts,
  cluster: MeteredCluster,
  read: ReadonlyMap<string, Measured[]>,
  price: { core: number; gib: number },
): Promise<Found> {
  const keyOf = ({ namespace, kind, workload }: Labels) => `${namespace}/${kind}/${workload}`
  const byKey = (metric: string) =>
    new Map((read.get(metric) ?? []).map((each) => [keyOf(each.labels), each]))
  const [cpuUsed, memoryUsed, memoryAsked] = [
    byKey(clusterMetrics.cpuUsed),
    byKey(clusterMetrics.memoryUsed),
    byKey(clusterMetrics.memoryRequested),
  ]
  const savings: Candidate[] = []
  let tooNew = 0
  for (const { labels, averages } of read.get(clusterMetrics.cpuRequested) ?? []) {
    const { namespace = '', kind = '', workload = '' } = labels
    const key = keyOf(labels)
    const object = { kind, namespace, name: workload }
    const place = objectResourceId({
      kind: kind.toLowerCase(),
      clusterId: cluster.id,
      namespace,
      name: workload,
    })
    const space = objectResourceId({
      kind: 'namespace',
      clusterId: cluster.id,
      namespace: '',
      name: namespace,
    })
    const asked = (averages.at(-1) ?? null) === null ? undefined : (averages.at(-1) ?? 0) / 1_000
    const used = cpuUsed.get(key)
    // One that is gone, or whose use is not measured, has nothing to give back.
    if (asked === undefined || used === undefined || namespace === 'kube-system') continue
    if (!isOwn(facts, facts.tagsOf(place, space, entityResourceId('cluster', cluster.id)))) continue
    const measured = measuredTime(used.maxima, facts.fromMs)
    if (measured === undefined) {
      tooNew += 1
      continue
    }
    const cores = percentile95(measuredValues(used.maxima)) / 1_000
    const askedGib = (memoryAsked.get(key)?.averages.at(-1) ?? 0) / gib
    // Memory cannot be throttled: its largest value counts, not the 95th percentile.
    const usedGib = maxOf(measuredValues(memoryUsed.get(key)?.maxima ?? [])) / gib
    const freeCores = Math.max(0, asked - cores * headroom)
    const freeGib = usedGib === 0 ? 0 : Math.max(0, askedGib - usedGib * headroom)
    if (freeCores < minCores && freeGib < minGib) continue
    const worth = freeCores * price.core + freeGib * price.gib
    const share = {
      cpu: freeCores < minCores ? 1 : (cores * headroom) / asked,
      memory: freeGib < minGib ? 1 : (usedGib * headroom) / askedGib,
    }
    savings.push({
      worth,
      object,
      share,
      saving: {
        id: `over-requested/${cluster.id}/${key}`,
        kind: 'over_requested',
        title:
          freeCores >= minCores
            ? `${workload} requests ${asked.toFixed(1)} cores and uses ${cores.toFixed(1)}`
            : `${workload} requests ${askedGib.toFixed(1)} GiB and uses ${usedGib.toFixed(1)}`,
        detail: `${kind} in ${namespace} of ${cluster.name}; frees room on its nodes`,
        clusterId: cluster.id,
        resourceName: workload,
        amount: perMonth(decimalOfNumber(worth), 1),
        isDirect: false,
        evidence: [
          { name: 'CPU requested', value: `${asked.toFixed(2)} cores` },
          { name: 'CPU used, 95 of 100 hours', value: `${cores.toFixed(2)} cores` },
          { name: 'Memory requested', value: `${askedGib.toFixed(2)} GiB` },
          { name: 'Memory used at most', value: `${usedGib.toFixed(2)} GiB` },
        ],
        measured,
        change: {
          text: `Lower the requests of ${workload} to ${(asked * share.cpu).toFixed(2)} cores and ${(askedGib * share.memory).toFixed(2)} GiB in all of its pods together: what it used, and a fifth more.`,
          yaml: null,
          path: null,
          refusal: null,
        },
        plan: null,
      },
    })
  }
  const dearest = savings.toSorted((a, b) => b.worth - a.worth).slice(0, maxPatches)
  return {
    savings: await withPatches(database, cluster, dearest),
    notJudged:
      tooNew === 0
        ? []
        : [
            `${tooNew === 1 ? '1 workload was' : `${tooNew} workloads were`} measured for less than ${billingBounds.savingsMinDays} days.`,
          ],
  }
}

type Candidate = {
  saving: FoundSaving
  worth: number
  object: { kind: string; namespace: string; name: string }
  share: { cpu: number; memory: number }
}

/** Savings with the patches of their workloads, where Bey has seen the containers. */
async function withPatches(
  database: Sources['database'],
  { organizationId, id }: MeteredCluster,
  candidates: readonly Candidate[],
): Promise<FoundSaving[]> {
  if (candidates.length === 0) return []
  return database.readTenant(organizationId, async (db) => {
    const savings: FoundSaving[] = []
    for (const { saving, object, share } of candidates) {
      const kept = await readWorkload(db, organizationId, { clusterId: id, ...object })
      const plan = patchPlan(kept, object, share)
      const refusal = plan === null ? `The requests of the containers of ${object.name} are not known.` : null
      const change = { ...saving.change, yaml: requestPatch(kept, object, share), refusal }
      savings.push({ ...saving, change, plan })
    }
    return savings
  })
}

const decimalOfNumber = (value: number): Decimal => decimalOf(value.toFixed(12))
