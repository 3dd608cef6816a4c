import { type Cluster, readClusters } from './clusters.ts'
import {
  counted,
  createDraft,
  type Draft,
  durationText,
  figure,
  lead,
  type Material,
  percentText,
  table,
} from '../draft.ts'
import { shortTime, type Span } from '../period.ts'
import { readAll } from '../reads.ts'

const maxFailedRuns = 500
const maxAlerts = 200

/** Runs, alerts and restarts of a period. Runs count by when they were queued, as in the list of runs. */
export async function reliability(material: Material): Promise<Draft> {
  const { parameters, span, before } = material
  const { timeZone, isCompared } = parameters
  const draft = createDraft()
  const [runs, earlier, fired, clusters] = await Promise.all([
    readRuns(material, span),
    isCompared ? readRuns(material, before) : undefined,
    readFired(material, (sentence) => draft.missing(sentence)),
    readClusters(material, (sentence) => draft.missing(sentence)),
  ])
  const restarts = restartsIn(clusters, span)
  const recovered = fired.filter(({ episode }) => episode.resolvedAt !== null)
  const meanMs =
    recovered.length === 0
      ? undefined
      : recovered.reduce(
          (sum, { episode }) => sum + Date.parse(episode.resolvedAt ?? '') - Date.parse(episode.firedAt),
          0,
        ) / recovered.length

  const runSource = draft.source(
    'Runs',
    `${counted(runs.total, 'run')} queued from ${shortTime(span.from, timeZone)} to ${shortTime(span.to, timeZone)}`,
    `/workflows/runs?since=${span.from.toISOString()}&until=${span.to.toISOString()}`,
  )
  const alertSource = draft.source(
    'Alerts',
    `alerts fired ${counted(fired.length, 'time')}`,
    '/analytics/alerts',
  )
  const restartSource = draft.source('Restarts', counted(clusters.length, 'cluster'), '/kubernetes/clusters')

  draft.section('summary', '', lead(summaryOf(runs, fired.length, span)), {
    kind: 'figures',
    figures: [
      figure(
        'completed',
        'Runs completed',
        `${runs.completed.toLocaleString('en')} of ${runs.over.toLocaleString('en')}`,
        {
          before: earlier ? `${earlier.completed} of ${earlier.over} before` : null,
          source: runSource,
        },
      ),
      figure('failed', 'Runs failed', runs.failed, {
        before: earlier ? `${earlier.failed} before` : null,
        source: runSource,
      }),
      figure('alerts', 'Alerts fired', fired.length, { source: alertSource }),
      figure('recover', 'Time to recover', meanMs === undefined ? '—' : durationText(meanMs), {
        source: alertSource,
      }),
      figure('restarts', 'Control plane restarts', restarts.length, {
        source: restartSource,
        isEstimate: true,
      }),
    ],
  })
  draft.section(
    'runs',
    'Runs that failed',
    table(
      '',
      ['Queued', 'Workflow', 'Status', 'Error'],
      runs.failures.map((run) => [
        shortTime(run.queuedAt, timeZone),
        run.workflowName,
        run.status.replaceAll('_', ' '),
        run.error?.message ?? '—',
      ]),
      {
        emptyText: runs.total === 0 ? `No run was queued from ${span.label}.` : 'No run failed.',
        note:
          runs.failed > runs.failures.length ? `The newest ${runs.failures.length} of ${runs.failed}.` : '',
        source: runSource,
      },
    ),
  )
  draft.section(
    'alerts',
    'Alerts that fired',
    table(
      '',
      ['Fired', 'Alert', 'Lasted', 'Acted on'],
      fired.map(({ name, episode }) => [
        shortTime(episode.firedAt, timeZone),
        name,
        episode.resolvedAt === null
          ? 'still fires'
          : durationText(Date.parse(episode.resolvedAt) - Date.parse(episode.firedAt)),
        episode.isActedOn ? 'yes' : 'no',
      ]),
      { emptyText: 'No alert fired.', source: alertSource },
    ),
  )
  draft.section(
    'restarts',
    'Restarts',
    table(
      '',
      ['Cluster', 'Restarted', 'Reason'],
      restarts.map(({ title, lastRestart }) => [
        title,
        shortTime(lastRestart.at, timeZone),
        lastRestart.reason,
      ]),
      {
        emptyText: 'No control plane was restarted.',
        note: 'The last restart of each cluster; earlier ones are not kept.',
        source: restartSource,
      },
    ),
  )
  return draft.finish()
}

async function readRuns({ read }: Material, { from, to }: Span) {
  const filter = { since: from.toISOString(), until: new Date(to.getTime() - 1).toISOString() }
  const [{ counts }, failures] = await Promise.all([
    read('workflows.runCounts', { query: filter }),
    readAll(maxFailedRuns, async (page) => {
      const { runs, total } = await read('workflows.allRuns', {
        query: { ...filter, ...page, status: ['failed', 'timed_out'], sort: 'queuedAt' },
      })
      return { rows: runs, total }
    }),
  ])
  const of = (...statuses: string[]) => statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const completed = of('completed')
  const failed = of('failed', 'timed_out')
  return {
    total: of(...Object.keys(counts)),
    completed,
    failed,
    over: completed + failed + of('cancelled'),
    failures: failures.rows,
  }
}

async function readFired({ read, span }: Material, missing: (sentence: string) => void) {
  const { rows, isWhole } = await readAll(maxAlerts, async (page) => {
    const { alerts, total } = await read('alerts.list', { query: page })
    return { rows: alerts, total }
  })
  if (!isWhole) missing(`Only the first ${maxAlerts} alerts were read.`)
  const histories = await Promise.all(
    rows.map(async ({ id, name }) => {
      const { episodes } = await read('alerts.history', { params: { id } })
      return episodes.map((episode) => ({ name, episode }))
    }),
  )
  return histories
    .flat()
    .filter(({ episode }) => {
      const at = Date.parse(episode.firedAt)
      return at >= span.from.getTime() && at < span.to.getTime()
    })
    .toSorted((a, b) => Date.parse(a.episode.firedAt) - Date.parse(b.episode.firedAt))
}

function restartsIn(clusters: readonly Cluster[], { from, to }: Span) {
  return clusters.flatMap(({ title, lastRestart }) => {
    if (lastRestart === null) return []
    const at = Date.parse(lastRestart.at)
    return at >= from.getTime() && at < to.getTime() ? [{ title, lastRestart }] : []
  })
}

function summaryOf(
  { total, over, completed }: { total: number; over: number; completed: number },
  fired: number,
  { label }: Span,
): string {
  const runs =
    over === 0
      ? `No run ended${total > 0 ? ` of ${total} queued` : ''} in the period, ${label}.`
      : `${percentText(completed / over)} of ${counted(over, 'run')} completed.`
  return `${runs} ${fired === 0 ? 'No alert fired.' : `${counted(fired, 'alert')} fired.`}`
}
