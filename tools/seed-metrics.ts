import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterMetrics } from '@bey/contract'
import pg from 'pg'
import { nodeUsage, podUsage, type Use } from '../packages/sandbox/src/nodes/usage.ts'
import type { Pod } from '../packages/sandbox/src/types.ts'
import type { BeySession } from './api-session.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const minutesBack = 24 * 60
const hoursBack = 7 * 24
/** Of the 2 h for which samples are kept. */
const samplesBack = 4 * 100
const sampleMs = 15_000

type Series = { block: number; slot: number; metric: string; labels: Record<string, string> }
type Table = 'metric_samples' | 'metric_minutes' | 'metric_hours'

/**
 * Gives sandboxes a past, so that a fresh demonstration shows curves: 100 minutes of samples, a day in minutes and a
 * week in hours of what the
 * sandbox's own simulation, which depends on the time alone, says of its pods. What was requested and counted is taken
 * to have been as it is now, and nothing to have failed. Sandboxes are labelled as such wherever they are shown.
 */
export async function seedMetrics(
  session: BeySession,
  databaseUrl: string,
  clusterIds: readonly number[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bey-seed' })
  await client.connect()
  try {
    for (const id of clusterIds) await seedCluster(client, session, id)
  } finally {
    await client.end()
  }
}

/** The address of the embedded database of the server that runs in a data directory. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  // The fifth line of PostgreSQL's own lock file is where its socket is.
  const socketDir = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  return `postgresql://bey:${encodeURIComponent(password)}@localhost/bey?host=${encodeURIComponent(socketDir)}`
}

async function seedCluster(client: pg.Client, session: BeySession, id: number): Promise<void> {
  const { series, firstMs, now } = await untilMeasured(client, session.organizationId, id)
  const pods = await readPods(session, id)
  const valueAt = valuesOf(pods, now)
  const nowMs = firstMs - minuteMs
  const samples = times(nowMs, sampleMs, samplesBack)
  await insert(client, session.organizationId, series, valueAt, 'metric_samples', samples)
  await insert(
    client,
    session.organizationId,
    series,
    valueAt,
    'metric_minutes',
    times(nowMs, minuteMs, minutesBack),
  )
  await insert(
    client,
    session.organizationId,
    series,
    valueAt,
    'metric_hours',
    times(nowMs - 24 * hourMs, hourMs, hoursBack - 24),
  )
  for (const at of times(nowMs, hourMs, 24)) {
    await client.query(
      `insert into metric_pending (organization_id, step, at) values ($1, 'hour', $2) on conflict do nothing`,
      [session.organizationId, new Date(at)],
    )
  }
}

/** The beginnings of steps, the last of which ends before `endMs`. */
function times(endMs: number, stepMs: number, count: number): number[] {
  const last = Math.floor(endMs / stepMs) * stepMs - stepMs
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs)
}

/** The series of a cluster with their values, once it was measured with use. */
async function untilMeasured(client: pg.Client, organizationId: number, id: number) {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    const { rows } = await client.query<Series & { value: number | null; first: Date }>(
      `select s.block, s.slot, s.metric, s.labels, p.value, p.first from metric_series s
       cross join lateral (
         select (array_agg(m.readings[s.slot] order by m.at desc))[1] as value, min(m.at) as first
         from metric_samples m where m.organization_id = s.organization_id and m.block = s.block
       ) p
       where s.organization_id = $1 and s.entity_type = 'cluster' and s.entity_id = $2`,
      [organizationId, String(id)],
    )
    const isMeasured = rows.some(({ metric, labels }) => metric === clusterMetrics.cpuUsed && 'pod' in labels)
    if (isMeasured) {
      const firstMs = Math.min(...rows.map(({ first }) => first.getTime()))
      return { series: rows, firstMs, now: new Map(rows.map((row) => [keyOf(row), row.value])) }
    }
    await new Promise((done) => setTimeout(done, 1_000))
  }
  throw new Error(`Cluster ${id} was not measured within 90 s.`)
}

const keyOf = ({ metric, labels }: Pick<Series, 'metric' | 'labels'>) =>
  `${metric} ${JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

async function readPods({ baseUrl, token }: BeySession, id: number): Promise<Pod[]> {
  const reply = await fetch(`${baseUrl}/api/kubernetes/clusters/${id}/proxy/api/v1/pods?limit=5000`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await reply.json()) as { items: Pod[] }
  return items.filter(({ status }) => status?.phase === 'Running')
}

/** What a series was at a time, as the simulation says; what it says nothing of is as it is now. */
function valuesOf(pods: readonly Pod[], now: ReadonlyMap<string, number | null>) {
  const groups = new Map<string, Pod[]>()
  const groupOf = ({ labels }: Series) => {
    const key = JSON.stringify(labels)
    const found = groups.get(key) ?? pods.filter((pod) => isOf(pod, labels))
    groups.set(key, found)
    return found
  }
  const nodeNames = [...new Set(pods.map(({ spec }) => spec.nodeName))]
  const sum = (all: readonly Use[]): Use => ({
    cores: all.reduce((total, { cores }) => total + cores, 0),
    memoryBytes: all.reduce((total, { memoryBytes }) => total + memoryBytes, 0),
  })
  return (series: Series, atMs: number): number | null => {
    const { metric, labels } = series
    if (metric === clusterMetrics.podsByHealth) {
      // Trouble begins with the seed.
      return labels['health'] === 'healthy' ? pods.length : 0
    }
    if (metric === clusterMetrics.podsNotReady || metric === clusterMetrics.restarts) return 0
    const isCpu = metric === clusterMetrics.cpuUsed
    if (!isCpu && metric !== clusterMetrics.memoryUsed) return now.get(keyOf(series)) ?? null
    const running = groupOf(series)
    const use =
      'pod' in labels || 'workload' in labels
        ? sum(running.map((pod) => podUsage(pod, atMs)))
        : 'node' in labels
          ? nodeUsage(running, atMs)
          : sum(
              nodeNames.map((node) =>
                nodeUsage(
                  pods.filter(({ spec }) => spec.nodeName === node),
                  atMs,
                ),
              ),
            )
    return isCpu ? use.cores * 1000 : use.memoryBytes
  }
}

function isOf({ metadata, spec }: Pod, labels: Record<string, string>): boolean {
  const { node, pod, workload, namespace } = labels
  if (node !== undefined) return spec.nodeName === node
  if (pod !== undefined) return metadata.name === pod && metadata.namespace === namespace
  if (workload === undefined) return true
  const owner = metadata.ownerReferences?.[0]?.name ?? ''
  // Of a deployment the owner is a replica set: its name and a hash.
  return metadata.namespace === namespace && (owner === workload || owner.replace(/-[^-]+$/, '') === workload)
}

async function insert(
  client: pg.Client,
  organizationId: number,
  series: readonly Series[],
  valueAt: (series: Series, atMs: number) => number | null,
  table: Table,
  all: readonly number[],
): Promise<void> {
  const blocks = new Map<number, Series[]>()
  for (const each of series) blocks.set(each.block, [...(blocks.get(each.block) ?? []), each])
  for (const [block, members] of blocks) {
    const isOfPods = members.some(({ labels }) => 'pod' in labels)
    if (isOfPods && table === 'metric_hours') continue
    const rows = all.map((atMs) => {
      const values: (number | null)[] = []
      for (const each of members) values[each.slot - 1] = valueAt(each, atMs)
      return `{${Array.from(values, (value) => value ?? 'null').join(',')}}`
    })
    const [columns, values] =
      table === 'metric_samples'
        ? ['readings', 'r.readings::real[]']
        : ['averages, maxima', 'r.readings::real[], r.readings::real[]']
    await client.query(
      `insert into ${table} (organization_id, block, at, ${columns})
       select $1, $2, r.at, ${values}
       from unnest($3::timestamptz[], $4::text[]) r (at, readings) on conflict do nothing`,
      [organizationId, block, all.map((atMs) => new Date(atMs).toISOString()), rows],
    )
  }
}
