import { metricQueryBounds } from '@bey/contract'

import type { ReadRange } from '../read.ts'
import { evaluationError } from './evaluation-error.ts'
import type { SeriesReader } from './reader.ts'

/** One evaluation: its range, what it may still read, and what it has to say about its answer. */
export type Context = {
  reader: SeriesReader
  range: ReadRange
  nowMs: number
  stepCount: number
  /** Sentences about what the reader of the answer may not expect. */
  warnings: Set<string>
  /** Counts what is read. Throws AppError `invalid_request` where it is too much. */
  count(seriesCount: number, pointCount: number): void
  /** Throws AppError `invalid_request` once the time is up, and lets other requests in between. */
  breathe(): Promise<void>
}

export function createContext(reader: SeriesReader, range: ReadRange, nowMs: number): Context {
  const startedAt = performance.now()
  let breathedAt = startedAt
  let series = 0
  let points = 0
  const { maxSeriesTouched, maxPointsTouched, timeoutMs } = metricQueryBounds
  return {
    reader,
    range,
    nowMs,
    stepCount: Math.round((range.toMs - range.fromMs) / range.stepMs),
    warnings: new Set(),
    count(seriesCount, pointCount) {
      series += seriesCount
      points += pointCount
      if (series > maxSeriesTouched) {
        throw evaluationError(
          `The expression reads ${number(series)} series, more than ${number(maxSeriesTouched)}. Filter by a label such as cluster or namespace.`,
        )
      }
      if (points > maxPointsTouched) {
        throw evaluationError(
          `The expression reads ${number(points)} values of ${number(series)} series, more than ${number(maxPointsTouched)}. Choose a shorter range, a longer step or fewer series.`,
        )
      }
    },
    async breathe() {
      const now = performance.now()
      if (now - startedAt > timeoutMs) {
        throw evaluationError(
          `The expression took longer than ${timeoutMs / 1_000} s. Choose a shorter range, a longer step or fewer series.`,
        )
      }
      if (now - breathedAt < 20) return
      await new Promise((resolve) => setImmediate(resolve))
      breathedAt = performance.now()
    },
  }
}

const number = (value: number) => value.toLocaleString('en-US')
