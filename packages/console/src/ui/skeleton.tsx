import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

/** Quick answers show no skeleton at all. */
const patienceMs = 150

/** True once `active` has lasted 150 ms. */
export function useDelayed(active: boolean, delayMs: number = patienceMs): boolean {
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

/** A grey bar where text will stand. Give it the final size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden className={cx('block h-3 animate-pulse-slow rounded-badge bg-active', className)} />
  )
}

/** Keeps the room of its children and shows them only when waiting takes longer than 150 ms. */
export function Patience({ children }: { children: ReactNode }) {
  const isDue = useDelayed(true)
  return (
    <output aria-label="Loading..." className={isDue ? 'block' : 'invisible block'}>
      {children}
    </output>
  )
}
