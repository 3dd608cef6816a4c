import { useEffect, useState } from 'react'
import { knownTime, useIsClockHeld } from '../lib/held-clock.ts'
import { useTimeStyle } from './time-style.ts'
import { nextTickMs, relativeTime } from './time-text.ts'

/** The current time, again whenever the text about `at` changes. */
function useNow(at: Date | null): Date {
  const [now, setNow] = useState(() => new Date(knownTime()))
  const isHeld = useIsClockHeld()
  useEffect(() => {
    if (!at) return
    const known = new Date(knownTime())
    // While the clock is held one tick is enough. Once it goes on again, what is shown is old.
    if (isHeld && known.getTime() === now.getTime()) return
    const isOld = isHeld || known.getTime() - now.getTime() > 2 * nextTickMs(at, now)
    const timer = setTimeout(() => setNow(new Date(knownTime())), isOld ? 0 : nextTickMs(at, known))
    return () => clearTimeout(timer)
  }, [at, now, isHeld])
  return now
}

/** "2 min ago", ticking; the absolute time on hover and focus. Absent or invalid is "—". */
export function RelativeTime({ at }: { at: string | Date | null | undefined }) {
  const key = at instanceof Date ? at.toISOString() : at
  const [parsed, setParsed] = useState(() => ({ key, date: parse(key) }))
  const current = parsed.key === key ? parsed : { key, date: parse(key) }
  if (current !== parsed) setParsed(current)
  const now = useNow(current.date)
  useTimeStyle()
  if (!current.date) return <span className="text-text-3">—</span>
  return (
    <time
      dateTime={current.date.toISOString()}
      data-tooltip-time={current.date.toISOString()}
      className="whitespace-nowrap tabular-nums"
    >
      {relativeTime(current.date, now)}
    </time>
  )
}

function parse(text: string | null | undefined): Date | null {
  if (!text) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}
