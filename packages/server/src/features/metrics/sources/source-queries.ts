import { metricQueryBounds, metricSourceLimits as limits } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { evaluationError } from '../../../platform/metrics/promql/evaluation-error.ts'
import type { PrometheusClient } from '../../../platform/metrics/prometheus-api/client.ts'
import type { ReadRange } from '../../../platform/metrics/read.ts'
import type { QueryAnswer } from '../query.ts'
import { openSource, type SourceParts } from './open-source.ts'
import { existingSource } from './present-source.ts'
import { findSource, type SourceRow } from './source-rows.ts'

/** After a failure nobody waits for the same again: queries fail with its sentence for so long. */
const failedMs = 10_000

type Known = { running: number; waiting: (() => void)[]; failure?: { untilMs: number; error: AppError } }

/**
 * Sends expressions to the data sources of organizations, as they are. At most `atOnce` at a time to each; one that has
 * just failed is not asked again at once, so that its charts and alerts do not wait for it one after another.
 */
export function createSourceQueries({
  database,
  clock,
  ...parts
}: SourceParts & { database: Pick<Database, 'readTenant'>; clock: Clock }) {
  const known = new Map<string, Known>()

  async function ask<T>(
    organizationId: number,
    id: string,
    work: (client: PrometheusClient, row: SourceRow) => Promise<T>,
  ): Promise<T> {
    const row = existingSource(
      await database.readTenant(organizationId, (db) => findSource(db, organizationId, id)),
    )
    // A source that was changed is another one.
    const key = `${id} ${row.updatedAt.getTime()}`
    const state: Known = known.get(key) ?? { running: 0, waiting: [] }
    known.set(key, state)
    if (state.running >= limits.atOnce) await new Promise<void>((resolve) => state.waiting.push(resolve))
    state.running += 1
    try {
      if (state.failure && state.failure.untilMs > clock.monotonicMs()) throw state.failure.error
      return await work(await openSource(parts, organizationId, row.target), row)
    } catch (error) {
      if (
        error instanceof AppError &&
        error.code === 'source_unreachable' &&
        state.failure?.error !== error
      ) {
        state.failure = { untilMs: clock.monotonicMs() + failedMs, error }
      }
      throw error
    } finally {
      state.running -= 1
      state.waiting.shift()?.()
      if (state.running === 0 && state.failure === undefined) known.delete(key)
    }
  }

  return {
    /**
     * The values of an expression at the beginning of each step. Throws AppError `not_found` for a source that is gone,
     * `invalid_request` for what the source refuses, `source_unreachable` where it does not answer.
     */
    query: (organizationId: number, id: string, expr: string, range: ReadRange): Promise<QueryAnswer> =>
      ask(organizationId, id, async (client, { name }) => {
        const { series, warnings } = await client.queryRange(expr, range)
        const { maxSeriesTouched } = metricQueryBounds
        if (series.length > maxSeriesTouched) {
          throw evaluationError(
            `"${name}" answers ${series.length} series, more than ${maxSeriesTouched}. Aggregate them first.`,
          )
        }
        return {
          type: 'vector',
          series: series.map(({ labels: { __name__: metric, ...labels }, values }) => ({
            name: metric ?? null,
            labels,
            values,
          })),
          unit: null,
          warnings,
        }
      }),

    catalog: (organizationId: number, id: string) =>
      ask(organizationId, id, async (client) => {
        const [names, described] = await Promise.all([client.metricNames(), client.metadata()])
        return {
          metrics: names.slice(0, limits.maxMetricNames).map((name) => ({
            name: name.slice(0, 500),
            type: described.get(name)?.type?.slice(0, 40) ?? null,
            meaning: described.get(name)?.meaning?.slice(0, 500) ?? null,
          })),
          total: names.length,
        }
      }),
  }
}

export type SourceQueries = ReturnType<typeof createSourceQueries>
