import { useCallback } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'
import { useListLocation } from '../../lib/list-location.ts'

/** The expression that the address names, and the way to name another one there. */
export function useExpression(): { expr: string | undefined; setExpr: (expr: string) => void } {
  const { expr } = useListLocation().search
  const change = useChangeSearch()
  const setExpr = useCallback((next: string) => change({ expr: next.trim() }, { isStep: true }), [change])
  return { expr, setExpr }
}
