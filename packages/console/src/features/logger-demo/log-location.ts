import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'
import { lineLevels } from '../../lib/log-level.ts'
import type { LineLevel } from '../../lib/log-level.ts'

export interface LogLocation {
  /** Empty where lines are not filtered by text. */
  text: string
  level: LineLevel | undefined
  change: (change: { q?: string; level?: string }) => void
}

/** Which of the kept lines are shown, kept in the address. */
export function useLogLocation(): LogLocation {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const change = useChangeSearch()
  const q = search['q']
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : ''
  const level = lineLevels.find((each) => each === search['level'])
  return useMemo(() => ({ text, level, change }), [text, level, change])
}
