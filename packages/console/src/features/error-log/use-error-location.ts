import { useSearch } from '@tanstack/react-router'
import type { ErrorPeriod } from '../../data/error-log.ts'
import { useChangeSearch } from '../../lib/change-search.ts'

export interface ErrorLocation {
  period: ErrorPeriod
  /** The occurrence that is shown; the latest where there is none. */
  occurrenceId: string | undefined
  change: (change: { period?: ErrorPeriod; occurrence?: string }) => void
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What of an error is shown, kept in the address. */
export function useErrorLocation(): ErrorLocation {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const { occurrence, period } = search
  return {
    period: period === '14d' ? '14d' : '24h',
    occurrenceId: typeof occurrence === 'string' && uuid.test(occurrence) ? occurrence : undefined,
    change: (change) => changeSearch(change.period === '24h' ? { ...change, period: undefined } : change),
  }
}
