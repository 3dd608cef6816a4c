import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** What of the address changes; what becomes undefined or empty leaves it. */
export type SearchChange = Record<string, string | number | undefined>

/**
 * Changes what the address says of the page that is open, such as which of its parts are shown. The page stays
 * scrolled to where it is. `isStep` makes the change one that Back takes back.
 */
export function useChangeSearch(): (change: SearchChange, how?: { isStep: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, { isStep } = { isStep: false }) => {
      const kept = Object.entries(change).map(([key, value]) => [key, value === '' ? undefined : value])
      void navigate({
        to: '.',
        search: (previous: Record<string, unknown>) => ({ ...previous, ...Object.fromEntries(kept) }),
        replace: !isStep,
        resetScroll: false,
      })
    },
    [navigate],
  )
}
