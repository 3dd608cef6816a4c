import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import {
  quantity,
  recordUsage,
  type UsageEvent,
  type UsageSubject,
} from '../packages/server/src/platform/usage/record.ts'
import type { BeySession } from './api-session.ts'

const hourMs = 3_600_000
/** Usage is seeded in steps of so many hours, for so many days back. */
const stepHours = 6
const daysBack = 62
const batch = 5_000
const gib = 2 ** 30

type Cluster = { id: number; title: string; provider: string }
type Latest = { metric: string; labels: Record<string, string>; value: number }

/**
 * Gives the organization two months of usage up to now, each event marked as seeded: its clusters as they are now, with
 * the load of weekdays and nights, a cluster that grew 12 days ago, databases that grow, and runs, reads and calls.
 */
export async function seedUsage(
  session: BeySession,
  databaseUrl: string,
  clusters: readonly Cluster[],
): Promise<void> {
  const { organizationId, client } = session
  const database = await openDatabase(
    { url: databaseUrl, dataDir: '.' },
    createLog({ level: 'error', write: (line) => process.stderr.write(line) }),
  )
  try {
    const { rows: members } = await database.ownerPool.query<{ id: number; name: string }>(
      `select u.id, u.name from memberships m join users u on u.id = m.user_id where m.organization_id = $1 order by u.id`,
      [organizationId],
    )
    const owners = members.map(({ id, name }) => ({ id, name }))
    const endMs = Math.floor(Date.now() / hourMs) * hourMs
    const events: UsageEvent[] = []
    for (const [index, cluster] of clusters.entries()) {
      const { rows } = await database.ownerPool.query<Latest>(latestSql, [organizationId, String(cluster.id)])
      events.push(...clusterUsage(cluster, rows, endMs, index === clusters.length - 1, owners))
    }
    const { databases } = await client.call('databases.list', { query: { limit: 50 } })
    databases.forEach((each, index) => {
      const subject = {
        resource: { id: each.id, name: each.name },
        provider: each.provider,
        owner: owners[index % owners.length],
      }
      events.push(
        ...series(`database/${each.id}`, endMs, (day) => [
          ['database_gb_hours', (12 + 9 * index) * (1 + day / 200) * stepHours, subject],
        ]),
      )
    })
    const { workflows } = await client.call('workflows.list', { query: { limit: 20 } })
    workflows.forEach((each, index) => {
      const subject = {
        resource: { id: String(each.id), name: each.name },
        person: owners[index % owners.length],
      }
      events.push(
        ...series(`workflow/${each.id}`, endMs, (_day, load) => {
          const runs = Math.round((2 + index) * load)
          return [
            ['runs', runs, subject],
            ['step_seconds', runs * (40 + 13 * index), subject],
            ['log_gb', runs * 0.004, subject],
          ]
        }),
      )
    })
    events.push(
      ...series(
        'organization',
        endMs,
        (_day, load, person) => [
          ['secret_reads', Math.round(310 * load), { person }],
          ['api_calls', Math.round(14_000 * load), { person }],
          ['webhook_attempts', Math.round(90 * load), {}],
        ],
        owners,
      ),
    )
    for (let from = 0; from < events.length; from += batch) {
      await database.withTenant(organizationId, (db) =>
        recordUsage(db, organizationId, events.slice(from, from + batch)),
      )
    }
  } finally {
    await database.close()
  }
}

/** The newest value of each series of nodes and workloads of a cluster. */
const latestSql = `
  select s.metric, s.labels, p.value::float8 as value from metric_series s
  cross join lateral (
    select m.readings[s.slot] as value from metric_samples m
    where m.organization_id = s.organization_id and m.block = s.block and m.readings[s.slot] is not null
    order by m.at desc limit 1
  ) p
  where s.organization_id = $1 and s.entity_type = 'cluster' and s.entity_id = $2
    and (s.labels ? 'workload' or (s.labels ? 'node' and s.metric like '%allocatable%'))`

const workloadMeters: Readonly<Record<string, [UsageEvent['meter'], number]>> = {
  cpu_requested_millicores: ['cpu_requested', 1_000],
  cpu_used_millicores: ['cpu_used', 1_000],
  memory_requested_bytes: ['memory_requested', gib],
  memory_used_bytes: ['memory_used', gib],
}

type Person = { id: number; name: string }
type Amounts = [UsageEvent['meter'], number, UsageSubject][]

function clusterUsage(
  { id, title, provider }: Cluster,
  latest: readonly Latest[],
  endMs: number,
  hasGrown: boolean,
  owners: readonly Person[],
): UsageEvent[] {
  const cluster = { id, name: title }
  const cores = latest.filter(({ metric }) => metric === 'cpu_allocatable_millicores')
  const memory = latest.filter(({ metric }) => metric === 'memory_allocatable_bytes')
  const sizes = cores.map(({ labels, value }) => ({
    cores: value / 1_000,
    gib: (memory.find((each) => each.labels['node'] === labels['node'])?.value ?? 0) / gib,
  }))
  const spaces = [...new Set(latest.flatMap(({ labels }) => labels['namespace'] ?? []))].sort()
  return series(`cluster/${id}`, endMs, (day, load) => {
    const grown = hasGrown && day >= daysBack - 12 ? 2 : 1
    const nodes: Amounts = sizes.flatMap((size) => {
      const nodeType = `${Math.ceil(size.cores)}x${Math.ceil(size.gib)}`
      const subject = { cluster, provider, nodeType }
      return [
        ['node_hours', stepHours * grown, subject],
        ['cpu_capacity', size.cores * stepHours * grown, subject],
        ['memory_capacity', size.gib * stepHours * grown, subject],
      ] satisfies Amounts
    })
    const workloads = latest.flatMap(({ metric, labels, value }): Amounts => {
      const [meter, per] = workloadMeters[metric] ?? []
      const { namespace, kind, workload } = labels
      if (meter === undefined || per === undefined || namespace === undefined) return []
      const isUse = meter === 'cpu_used'
      const owner = owners[spaces.indexOf(namespace) % owners.length]
      const subject = {
        cluster,
        namespace,
        workload: `${kind}/${workload}`,
        owner,
        labels: { team: namespace },
      }
      return [[meter, (value / per) * stepHours * (isUse ? load : 1), subject]]
    })
    return together([...nodes, ...workloads])
  })
}

/** Adds up what has the same meter and subject. */
function together(amounts: Amounts): Amounts {
  const sums = new Map<string, Amounts[number]>()
  for (const [meter, value, subject] of amounts) {
    const key = JSON.stringify([meter, subject])
    sums.set(key, [meter, value + (sums.get(key)?.[1] ?? 0), subject])
  }
  return [...sums.values()]
}

/** Events of every step. `load` is 1 on average: less at night and on weekends. */
function series(
  name: string,
  endMs: number,
  amountsAt: (day: number, load: number, person: Person | undefined) => Amounts,
  people: readonly Person[] = [],
): UsageEvent[] {
  const steps = (daysBack * 24) / stepHours
  return Array.from({ length: steps }, (_none, step) => {
    const at = new Date(endMs - (steps - step) * stepHours * hourMs)
    const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
    const load = (isWeekend ? 0.6 : 1.1) * (at.getUTCHours() >= 6 && at.getUTCHours() < 18 ? 1.3 : 0.7)
    const person = people[step % Math.max(1, people.length)]
    return amountsAt((step * stepHours) / 24, load, person).map(
      ([meter, value, subject], index): UsageEvent => ({
        source: 'seed',
        id: `${name}/${step}/${index}`,
        meter,
        value: quantity(value),
        at,
        subject,
        isSeeded: true,
      }),
    )
  }).flat()
}
