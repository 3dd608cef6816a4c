import type { EntityType, HandlerOutput, ParsedInput, Role } from '@bey/contract'
import { entityOf, metricBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { entityExists } from '../../platform/db/entity-exists.ts'
import { AppError } from '../../platform/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { finestStepMs, floorTo, stepFor } from '../../platform/metrics/steps.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'

type Query = ParsedInput<'metrics.read'>['query']

export type MetricService = {
  /** Throws AppError `not_found` unless the organization has every entity, `invalid_request` for too large an answer. */
  read(
    of: { organizationId: number; role: Role },
    type: EntityType,
    query: Query,
  ): Promise<HandlerOutput<'metrics.read'>>
}

export function createMetricService(deps: {
  database: Pick<Database, 'readTenant'>
  metrics: Metrics
  clock: Clock
}): MetricService {
  const { database, metrics, clock } = deps
  return {
    async read({ organizationId, role }, type, query) {
      const permission = entityOf(type).readPermission
      const reason = whyNotNow(role, permission)
      if (reason !== undefined) throw new AppError('forbidden', reason)
      const ids = [...new Set(query.ids.split(','))]
      const names = [...new Set(query.metrics.split(','))]
      const labels = labelsOf(query.labels)
      const range = rangeOf(query, clock.now().getTime())
      const points = (range.toMs - range.fromMs) / range.stepMs
      const perValue = query.include === 'maxima' ? 2 : 1
      if (points * ids.length * names.length * perValue > metricBounds.maxValues) {
        throw new AppError(
          'invalid_request',
          `${ids.length} × ${names.length} series of ${points} steps are more than ${metricBounds.maxValues} values. Ask for fewer, or for longer steps.`,
        )
      }
      await database.readTenant(organizationId, async (db) => {
        for (const id of ids) {
          // Screens ask for what was there a moment ago, together with others that still are.
          if (!(await entityExists(db, organizationId, { type, id }, { orDeleted: true }))) {
            throw new AppError('not_found', `There is no ${entityOf(type).singular} ${id}.`)
          }
        }
      })
      const asked = ids.flatMap((id) => names.map((metric) => ({ entity: { type, id }, metric, labels })))
      const [found, usage] = await Promise.all([
        metrics.read(organizationId, asked, range),
        metrics.usage(organizationId),
      ])
      return {
        from: new Date(range.fromMs).toISOString(),
        to: new Date(range.toMs).toISOString(),
        stepMs: range.stepMs,
        series: asked.flatMap(({ entity, metric }, index) => {
          const { averages = [], maxima = [] } = found[index] ?? {}
          if (averages.every((value) => value === null)) return []
          return {
            id: entity.id,
            metric,
            labels,
            averages: averages.map(shown),
            ...(query.include === 'maxima' && { maxima: maxima.map(shown) }),
          }
        }),
        refused:
          usage.refusedAt === null || clock.now().getTime() - usage.refusedAt.getTime() > refusalShownMs
            ? null
            : { at: usage.refusedAt.toISOString(), count: usage.refusedCount, maxSeries: usage.maxSeries },
      }
    },
  }
}

/** Series that are refused are refused every 15 s. */
const refusalShownMs = 300_000

/** Five digits are more than a chart shows. */
const shown = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)))

function labelsOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const end = pair.indexOf('=')
      return [pair.slice(0, end), pair.slice(end + 1)]
    }),
  )
}

/** Bounds at multiples of the step, the last of which is the one that `end` lies in. */
function rangeOf(query: Query, nowMs: number): { fromMs: number; toMs: number; stepMs: number } {
  const endMs = Math.min(query.end === undefined ? nowMs : Date.parse(query.end), nowMs)
  const rangeMs = query.range * 1000
  const ageMs = nowMs - (endMs - rangeMs)
  const asked = query.step === undefined ? stepFor(rangeMs, ageMs) : query.step * 1000
  const finest = Math.max(finestStepMs(ageMs), rangeMs / metricBounds.maxPoints)
  const stepMs = asked >= finest ? asked : stepFor(rangeMs, ageMs, metricBounds.maxPoints)
  const toMs = floorTo(endMs, stepMs) + stepMs
  // One more step than the range, for the bounds lie within steps.
  return {
    fromMs: Math.max(floorTo(endMs - rangeMs, stepMs), toMs - metricBounds.maxPoints * stepMs),
    toMs,
    stepMs,
  }
}
