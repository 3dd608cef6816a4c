import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

/** Quick answers show no skeleton. */
const skeletonDelayMs = 150

/** True once `active` has lasted 150 ms. */
export function useDelayed(active: boolean, delayMs: number = skeletonDelayMs): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => {
      clearTimeout(timer)
      setDue(false)
    }
  }, [active, delayMs])
  return active && isDue
}

/** A grey bar in the place of text that is loading. Give it the final size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      data-skeleton=""
      className={cx(
        'block h-3 animate-pulse-slow rounded-badge bg-active forced-colors:border forced-colors:border-line',
        className,
      )}
    />
  )
}

/** Shows its children after 150 ms. Until then they are invisible but keep their space. */
export function DelayedSkeleton({ children }: { children: ReactNode }) {
  const isDue = useDelayed(true)
  return (
    <output aria-label="Loading..." className={isDue ? 'block' : 'invisible block'}>
      {children}
    </output>
  )
}
