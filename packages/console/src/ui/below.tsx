import type { ReactNode } from 'react'
import { useDelayed } from './skeleton.tsx'

/** A part above that takes longer is no longer waited for. */
const longestMs = 2_000

export interface BelowProps {
  isReady: boolean
  /** The part above has a known height wherever its lines do not wrap. */
  isOnPhoneOnly?: boolean
  children: ReactNode
}

/**
 * What stands below a part whose height is not known before its data come: invisible until then, so that nobody sees it
 * move. Adds no box of its own.
 */
export function Below({ isReady, isOnPhoneOnly = false, children }: BelowProps) {
  const isLate = useDelayed(!isReady, longestMs)
  const hidden = isOnPhoneOnly ? 'contents max-md:invisible' : 'contents invisible'
  return <div className={isReady || isLate ? 'contents' : hidden}>{children}</div>
}
