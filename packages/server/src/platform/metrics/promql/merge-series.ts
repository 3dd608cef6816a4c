import { evaluationError, labelsText } from './evaluation-error.ts'
import { labelsKey, type Series } from './values.ts'

/**
 * Joins series that have the same labels after an operation took some away. Throws AppError `invalid_request` where two of
 * them have a value in the same step, for they could not be told apart.
 */
export function mergeSeries(series: readonly Series[], operation: string): Series[] {
  const merged = new Map<string, Series>()
  for (const each of series) {
    const key = labelsKey(each.labels)
    const other = merged.get(key)
    if (!other) {
      merged.set(key, each)
      continue
    }
    const values = other.values.slice()
    for (const [index, value] of each.values.entries()) {
      if (value === null) continue
      if (values[index] != null) {
        throw evaluationError(
          `After ${operation}, several series have the same labels ${labelsText(each.labels)}. Aggregate them first, for example with sum by (…).`,
        )
      }
      values[index] = value
    }
    merged.set(key, { labels: other.labels, values })
  }
  return [...merged.values()]
}
