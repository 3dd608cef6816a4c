import { clusterMetrics as metrics } from '@bey/contract'
import type { PaperBlock } from '@bey/contract/paper/paper'
import { paperBounds } from '@bey/contract/paper/bounds'
import { readClusters } from './clusters.ts'
import { createDraft, type Draft, figure, lead, type Material, percentText, table } from '../draft.ts'
import { dayText, type Span } from '../period.ts'
import { readAll } from '../reads.ts'
import { type Trend, trendOf } from '../trend.ts'

const maxDatabases = 500
/** Of clusters as a whole, as on the board of the fleet. */
const whole = '{node="",namespace=""}'
const share = (used: string, all: string) => `sum by (id) (${used}${whole}) / sum by (id) (${all}${whole})`
const expressions = {
  CPU: share(metrics.cpuUsed, metrics.cpuAllocatable),
  Memory: share(metrics.memoryUsed, metrics.memoryAllocatable),
} as const
type Resource = keyof typeof expressions

type Use = {
  cluster: string
  resource: Resource
  values: (number | null)[]
  trend: Trend | undefined
}

/** How full clusters and databases are, and when each is full if it goes on as in the period. */
export async function capacity(material: Material): Promise<Draft> {
  const { span, parameters } = material
  const draft = createDraft()
  const missing = (sentence: string) => draft.missing(sentence)
  const clusters = await readClusters(material, missing)
  const titles = new Map(clusters.map(({ id, title }) => [String(id), title]))
  const uses = (
    await Promise.all((['CPU', 'Memory'] as const).map((resource) => readUse(material, resource, titles)))
  ).flat()
  for (const title of titles.values()) {
    if (!uses.some(({ cluster }) => cluster === title)) {
      missing(`Cluster "${title}" was not measured from ${span.label}.`)
    }
  }
  const databases = await readDatabases(material)
  const full = uses
    .filter((use): use is Use & { trend: Trend & { fullAt: Date } } => use.trend?.fullAt !== undefined)
    .toSorted((a, b) => a.trend.fullAt.getTime() - b.trend.fullAt.getTime())
  const [next] = full

  const metricSource = draft.source(
    'Use of clusters',
    `${expressions.CPU}; ${expressions.Memory}`,
    `/analytics/metrics?expr=${encodeURIComponent(expressions.CPU)}`,
  )
  const clusterSource = draft.source('Clusters', `${clusters.length} in the list`, '/kubernetes/clusters')
  const databaseSource = draft.source('Databases', `${databases.length} in the list`, '/databases')
  draft.section(
    'summary',
    '',
    lead(
      clusters.length === 0 && databases.length === 0
        ? 'There is no cluster and no database.'
        : next
          ? `${next.resource} of ${next.cluster} is full on ${dayText(next.trend.fullAt, parameters.timeZone)} if it grows as from ${span.label}.`
          : 'Nothing fills up within a year if use goes on as in this period.',
    ),
    {
      kind: 'figures',
      figures: [
        figure('clusters', 'Clusters', clusters.length, { source: clusterSource }),
        figure('databases', 'Databases', databases.length, { source: databaseSource }),
        ...(['CPU', 'Memory'] as const).map((resource) => {
          const shares = uses.flatMap((use) =>
            use.resource === resource && use.trend ? [use.trend.last] : [],
          )
          return figure(
            `highest-${resource.toLowerCase()}`,
            `Highest use, ${resource}`,
            shares.length === 0 ? '—' : percentText(Math.max(...shares)),
            { source: metricSource },
          )
        }),
        figure('first-full', 'First full', next ? dayText(next.trend.fullAt, parameters.timeZone) : '—', {
          isEstimate: next !== undefined,
          source: metricSource,
        }),
      ],
    },
  )
  draft.section(
    'use',
    'Use of clusters',
    ...(['CPU', 'Memory'] as const).map((resource) =>
      chartOf(resource, uses, { span, timeZone: parameters.timeZone, source: metricSource }),
    ),
  )
  draft.section(
    'clusters',
    'Clusters',
    table(
      '',
      ['Cluster', 'Resource', 'Use at the end #', 'A week #', 'Full'],
      uses.map(({ cluster, resource, trend }) => [
        cluster,
        resource,
        trend ? percentText(trend.last) : '—',
        trend?.perWeek === undefined ? '—' : pointsText(trend.perWeek),
        trend?.fullAt ? dayText(trend.fullAt, parameters.timeZone) : 'not within a year',
      ]),
      { emptyText: 'No cluster was measured.', source: metricSource },
    ),
  )
  draft.section('databases', 'Databases', {
    kind: 'bars',
    title: 'Largest databases',
    bars: databases
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, paperBounds.maxBars)
      .map(({ name, bytes }, _index, all) => ({
        label: name,
        share: bytes / Math.max(1, all[0]?.bytes ?? 1),
        value: bytesText(bytes),
        isWarning: false,
      })),
    emptyText: 'There is no database.',
    source: databaseSource,
  })
  return draft.finish()
}

async function readUse(
  { read, span }: Material,
  resource: Resource,
  titles: ReadonlyMap<string, string>,
): Promise<Use[]> {
  const stepSeconds = Math.max(900, Math.ceil((span.to.getTime() - span.from.getTime()) / 1000 / 400))
  const answer = await read('metrics.query', {
    query: {
      expr: expressions[resource],
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      step: stepSeconds,
    },
  })
  return answer.series.flatMap(({ labels, values }) => {
    const cluster = titles.get(labels['id'] ?? '')
    if (cluster === undefined) return []
    return [{ cluster, resource, values, trend: trendOf(values, answer.stepMs, Date.parse(answer.to)) }]
  })
}

async function readDatabases({ read }: Material) {
  const { rows } = await readAll(maxDatabases, async (page) => {
    const { databases, total } = await read('databases.list', { query: { ...page, sort: 'name' } })
    return { rows: databases, total }
  })
  return rows.map(({ name, figures }) => ({ name, bytes: figures?.sizeBytes ?? 0 }))
}

function chartOf(
  resource: Resource,
  uses: readonly Use[],
  { span: { from, to }, timeZone, source }: { span: Span; timeZone: string; source: number },
): PaperBlock {
  const clusters = fullestFirst(uses).slice(0, paperBounds.maxSeries)
  const shown = clusters.flatMap((cluster) =>
    uses.filter((use) => use.cluster === cluster && use.resource === resource),
  )
  if (shown.length === 0) return { kind: 'text', text: `${resource} was not measured.`, isLead: false }
  return {
    kind: 'lines',
    title: `${resource} in use, % of what pods can have`,
    from: from.toISOString(),
    to: to.toISOString(),
    series: shown.map(({ cluster, values }) => ({
      name: cluster,
      values: values.slice(0, paperBounds.maxPoints).map((value) => (value === null ? null : value * 100)),
    })),
    ticks: [0, 50, 100].map((value) => ({ value, text: `${value} %` })),
    times: dayTicks(to.getTime() - from.getTime()).map((at) => ({
      at,
      text: dayText(new Date(from.getTime() + at * (to.getTime() - from.getTime())), timeZone),
    })),
    limit: null,
    gaps: gapsOf(shown, to.getTime() - from.getTime()),
    source,
  }
}

/** Clusters by their highest use, in one order for all charts, so that a cluster has one colour. */
function fullestFirst(uses: readonly Use[]): string[] {
  const highest = new Map<string, number>()
  for (const { cluster, trend } of uses)
    highest.set(cluster, Math.max(highest.get(cluster) ?? 0, trend?.last ?? 0))
  return [...highest].toSorted(([, a], [, b]) => b - a).map(([cluster]) => cluster)
}

/** Where in a span some of its days begin, five at most. */
function dayTicks(lengthMs: number): number[] {
  const days = lengthMs / 86_400_000
  const step = Math.max(1, Math.ceil(days / 4))
  return Array.from({ length: Math.floor(days / step) + 1 }, (_each, index) => (index * step) / days)
}

/** Stretches in which no cluster was measured. */
function gapsOf(uses: readonly Use[], lengthMs: number) {
  const count = Math.max(...uses.map(({ values }) => values.length))
  const gaps: { from: number; to: number; text: string }[] = []
  let start: number | undefined
  for (let index = 0; index <= count; index += 1) {
    const isGap = index < count && uses.every(({ values }) => (values[index] ?? null) === null)
    if (isGap) start ??= index
    else if (start !== undefined) {
      const share = (index - start) / count
      gaps.push({
        from: start / count,
        to: index / count,
        text: `no data for ${hoursText(share * lengthMs)}`,
      })
      start = undefined
    }
  }
  return gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, paperBounds.maxGaps)
}

/** "+1.2 points", "−0.3 points", "0.0 points" */
function pointsText(share: number): string {
  const points = Math.round(share * 1000) / 10
  const sign = points > 0 ? '+' : points < 0 ? '−' : ''
  return `${sign}${Math.abs(points).toFixed(1)} points`
}

const hoursText = (ms: number) =>
  ms < 48 * 3_600_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`

function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
