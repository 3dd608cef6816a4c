import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../../lib/change-search.ts'

export const logLevels = ['debug', 'info', 'warning', 'error'] as const

export interface RunLocation {
  /** The step whose lines are shown; all where there is none. */
  step: string | undefined
  /** The least level that is shown. */
  level: (typeof logLevels)[number]
  change: (change: { step?: string | undefined; level?: string }) => void
}

/** Which part of a run's log is shown, kept in the address. */
export function useRunLocation(): RunLocation {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const step = typeof search['step'] === 'string' ? search['step'] : undefined
  const level = logLevels.find((each) => each === search['level']) ?? 'debug'
  return {
    step,
    level,
    change: (change) => changeSearch(change.level === 'debug' ? { ...change, level: undefined } : change),
  }
}
