import { useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

const dayMs = 86_400_000
const maxTicks = 30

/** The days up to the next rotation as ticks: those that are over stand out. */
export function RotationBar({ next, everyDays }: { next: string; everyDays: number }) {
  const [nowMs] = useState(() => Date.now())
  const leftMs = Date.parse(next) - nowMs
  const day = Math.min(everyDays, Math.max(1, everyDays - Math.floor(leftMs / dayMs)))
  const ticks = Math.min(maxTicks, everyDays)
  const passed = 1 - leftMs / (everyDays * dayMs)
  return (
    <div>
      <div aria-hidden className="flex h-4 items-end justify-between">
        {Array.from({ length: ticks + 1 }, (_, index) => (
          <span
            key={index}
            className={cx(
              'w-0.5',
              index % 10 === 0 ? 'h-4' : 'h-2.5',
              index / ticks <= passed ? 'bg-text-2' : 'bg-line-strong',
            )}
          />
        ))}
      </div>
      <p className="mt-1 flex justify-between gap-2 text-small text-text-2 tabular-nums">
        <span>
          day {day} of {everyDays}
        </span>
        <RelativeTime at={next} />
      </p>
    </div>
  )
}
