import { useEffect, useState } from 'react'

/** A value once it has stayed the same for a while; `waitMs` 0 gives each value at once. */
export function useDebounced<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (waitMs === 0) return
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return waitMs === 0 ? value : settled
}
