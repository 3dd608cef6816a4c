import type { Dashboard, Role, SinceYouLeft } from '@bey/contract'
import { clusterHealthTrend, metricQuery } from '@bey/contract'
import { leftBefore, visitRules } from '@bey/contract/analytics/visit-rules'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { totalOf } from '../../../platform/db/totals.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import { stepFor } from '../../../platform/metrics/steps.ts'
import type { MetricService } from '../../metrics/service.ts'
import {
  actsOfOthers,
  changedObjects,
  countSince,
  failedStatuses,
  queuedRuns,
  type Window,
} from './happened-store.ts'
import { incidentsOf, type Incident } from './incidents.ts'
import { itemsOf } from './items.ts'
import { readVisits } from './visit-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Clusters whose failing pods are looked through. */
const maxClusters = 100

export type SinceReader = { organizationId: number; role: Role; userId: number }

export type SinceParts = {
  database: Pick<Database, 'readTenant'>
  dashboard: (organizationId: number) => Promise<Dashboard>
  readMetrics: MetricService['readAll']
  clock: Clock
}

/**
 * What happened in an organization since a member was last here, as far as the member's role may know; null during the
 * first visit.
 */
export function createSince({ database, dashboard, readMetrics, clock }: SinceParts) {
  return async (reader: SinceReader, figures?: Dashboard): Promise<SinceYouLeft | null> => {
    const { organizationId, userId } = reader
    const to = clock.now()
    const left = leftBefore(
      await database.readTenant(organizationId, (db) => readVisits(db, organizationId, userId)),
      to,
    )
    if (left === null) return null
    const earliest = to.getTime() - visitRules.maxDays * dayMs
    const from = new Date(Math.max(left.getTime(), earliest))
    const window = { organizationId, from, to }
    const [rows, { attention, clusterRows }] = await Promise.all([
      readHappened(reader, window),
      figures ?? dashboard(organizationId),
    ])
    const incidents = await readIncidents(reader, window, clusterRows)
    const { counts, runs, acts, objects } = rows
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      isCut: left.getTime() < earliest,
      changes: totalOf(counts.objects + counts.acts),
      runs: { ...totalOf(counts.runs), failed: Math.min(counts.failedRuns, counts.runs) },
      incidents: incidents.slice(-200).map(({ name, fromMs, toMs }) => ({
        name,
        from: new Date(fromMs).toISOString(),
        to: toMs === null ? null : new Date(toMs).toISOString(),
      })),
      marks: marksOf(rows),
      items: itemsOf(
        { attention: attention.items, incidents: incidents.toReversed(), runs, acts, objects },
        from.getTime(),
      ),
      gaps: gapsOf(clusterRows.length),
    }
  }

  /** What the role may not read is left out, and is not counted. */
  async function readHappened({ role, userId }: SinceReader, window: Window) {
    const may = {
      objects: mayNow(role, 'kubernetes.read'),
      acts: mayNow(role, 'audit.read'),
      runs: mayNow(role, 'workflows.read'),
    }
    return database.readTenant(window.organizationId, async (db) => {
      const counts = await countSince(db, window, userId)
      return {
        objects: may.objects ? await changedObjects(db, window) : [],
        acts: may.acts ? await actsOfOthers(db, window, userId) : [],
        runs: may.runs ? await queuedRuns(db, window) : [],
        counts: {
          objects: may.objects ? counts.objects : 0,
          acts: may.acts ? counts.acts : 0,
          runs: may.runs ? counts.runs : 0,
          failedRuns: may.runs ? counts.failedRuns : 0,
        },
      }
    })
  }

  async function readIncidents(
    reader: SinceReader,
    { from, to }: Window,
    rows: Dashboard['clusterRows'],
  ): Promise<Incident[]> {
    const clusters = rows.slice(0, maxClusters)
    if (clusters.length === 0 || !mayNow(reader.role, 'clusters.read')) return []
    const rangeMs = Math.max(to.getTime() - from.getTime(), 60_000)
    const question = {
      ...clusterHealthTrend(
        clusters.map(({ id }) => id),
        'failing',
      ),
      rangeSeconds: Math.ceil(rangeMs / 1000),
      step: stepFor(rangeMs, rangeMs) / 1000,
    }
    const [answer] = await readMetrics(reader, 'cluster', [metricQuery(question)])
    if (!answer) return []
    const range = { fromMs: Date.parse(answer.from), stepMs: answer.stepMs }
    return clusters
      .flatMap(({ id, title }) => {
        const series = answer.series.find((each) => each.id === String(id))
        return incidentsOf({ clusterId: id, name: title, maxima: series?.maxima ?? [] }, range)
      })
      .toSorted((a, b) => a.fromMs - b.fromMs)
  }
}

const maxMarks = 400

function marksOf({
  objects,
  acts,
  runs,
}: {
  objects: readonly { at: Date }[]
  acts: readonly { at: Date }[]
  runs: Awaited<ReturnType<typeof queuedRuns>>
}): SinceYouLeft['marks'] {
  const marks = [
    ...[...objects, ...acts].map(({ at }) => ({ at: at.toISOString(), kind: 'change' as const })),
    ...runs.map(({ queuedAt, finishedAt, status }) =>
      failedStatuses.includes(status)
        ? { at: (finishedAt ?? queuedAt).toISOString(), kind: 'failure' as const }
        : { at: queuedAt.toISOString(), kind: 'run' as const },
    ),
  ]
  return marks.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-maxMarks)
}

function gapsOf(clusters: number): string[] {
  return clusters > maxClusters
    ? [`Incidents of ${clusters - maxClusters} of ${clusters} clusters are left out.`]
    : []
}
