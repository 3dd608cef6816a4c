import { clusterMetrics } from '@bey/contract'
import { createMetricQueries } from '../packages/server/src/features/metrics/query.ts'
import { report } from './figure.ts'
import { noSources, openMetricHistory } from './metric-history.ts'
import { percentile } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const hourMs = 3_600_000
const rounds = 10
const minutes = 5

/** What is answered to a board of 12 charts over 30 days, to 50 series of 30 days, and how many samples come in. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const { clock, metrics, organizationId, samplesPerRound, measure } = await openMetricHistory(database)
    const writeMs = await timed(() => measure(minutes))
    const { query } = createMetricQueries({ database, clock, points: metrics.points, sources: noSources })
    const toMs = Math.floor(clock.now().getTime() / hourMs) * hourMs
    const range = { fromMs: toMs - 720 * hourMs, toMs, stepMs: 3 * hourMs }
    const ask = (expr: string) => query({ organizationId, role: 'VIEWER' }, expr, range)
    const ofTeam = (team: number) => `{namespace="team-${team % 8}",workload=~".+"}`
    const board = Array.from({ length: 12 }, (_, index) => {
      const metric = index % 2 === 0 ? clusterMetrics.cpuUsed : clusterMetrics.memoryUsed
      return `sum by (namespace) (${metric}${ofTeam(index)})`
    })
    const boards = await timesOf(() => Promise.all(board.map(ask)))
    const fifty = `${clusterMetrics.cpuUsed}{workload=~"service-[0-4]?[0-9]"}`
    const { series } = await ask(fifty)
    const wide = await timesOf(() => ask(fifty))
    await metrics.stop()
    report({
      name: '12 charts over 30 days, p95',
      value: percentile(boards, 0.95),
      unit: 'ms',
      goal: 500,
      detail: '25 series each; without drawing',
    })
    report({
      name: `30 days of ${series.length} series, p95`,
      value: percentile(wide, 0.95),
      unit: 'ms',
      goal: 200,
    })
    report({
      name: 'samples written, with their roll-up',
      value: (samplesPerRound * minutes * 4) / (writeMs / 1000),
      unit: '/s',
      goal: 20_000,
      isAtLeast: true,
      detail: `batches of ${samplesPerRound}`,
    })
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work))
  return times
}
