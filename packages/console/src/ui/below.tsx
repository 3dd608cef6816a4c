import type { ReactNode } from 'react'
import { useDelayed } from './skeleton.tsx'

/** A part above that takes longer is no longer waited for. */
const longestMs = 2_000

/**
 * What stands below a part whose height is not known before its data come: invisible until then, so that nobody sees it
 * move. Adds no box of its own.
 */
export function Below({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  const isLate = useDelayed(!isReady, longestMs)
  return <div className={isReady || isLate ? 'contents' : 'invisible contents'}>{children}</div>
}
