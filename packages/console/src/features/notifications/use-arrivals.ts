import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { lastToastAt } from './record-toasts.ts'

/** A toast shown here within this time has announced it already. */
const announcedForMs = 3_000

/** A sentence for screen readers whenever there is more to read than before, unless a toast has said it here. */
export function useArrivals(unreadCount: number): string {
  const known = useRef<number>(undefined)
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    const before = known.current
    known.current = unreadCount
    if (before === undefined || unreadCount <= before || Date.now() - lastToastAt() < announcedForMs) return
    const timer = setTimeout(() => setSentence(formatCount(unreadCount, 'unread notification')))
    return () => clearTimeout(timer)
  }, [unreadCount])
  return sentence
}
