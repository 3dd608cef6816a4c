import { useCallback } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'
import { useListLocation } from '../../lib/list-location.ts'

/** The expression that the address names, and the way to name another one there. */
export function useExpression(): {
  expr: string | undefined
  /** Id of the data source that evaluates it; undefined: Bey. */
  source: string | undefined
  setExpr: (expr: string) => void
  setSource: (source: string | undefined) => void
} {
  const { expr, source } = useListLocation().search
  const change = useChangeSearch()
  const setExpr = useCallback((next: string) => change({ expr: next.trim() }, { isStep: true }), [change])
  // An expression over other metrics has no meaning there.
  const setSource = useCallback(
    (next: string | undefined) => change({ source: next, expr: undefined }, { isStep: true }),
    [change],
  )
  return { expr, source, setExpr, setSource }
}
