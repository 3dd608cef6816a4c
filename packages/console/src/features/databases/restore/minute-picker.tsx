import type { DatabaseRecoverableWindow } from '@bey/contract'
import { Button } from '../../../ui/button.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { nearestMoment } from '../backups/window-text.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60
const steps = [
  { label: '−1 min', ms: -minuteMs },
  { label: '−1 s', ms: -1_000 },
  { label: '+1 s', ms: 1_000 },
  { label: '+1 min', ms: minuteMs },
]

/** The moment on a phone: a minute of the last 24 hours by sliding, and seconds by touch. */
export function MinutePicker({
  window,
  atMs,
  nowMs,
  onChoose,
}: {
  window: DatabaseRecoverableWindow
  atMs: number | undefined
  nowMs: number
  onChoose: (atMs: number) => void
}) {
  const toMs = Math.floor(nowMs / minuteMs) * minuteMs
  const fromMs = toMs - dayMinutes * minuteMs
  const choose = (ms: number) => {
    const nearest = nearestMoment(window, ms)
    if (nearest !== undefined) onChoose(nearest)
  }
  return (
    <div className="flex flex-col gap-2">
      <input
        type="range"
        aria-label="Minute to restore, of the last 24 hours"
        min={0}
        max={dayMinutes}
        step={1}
        value={Math.round(((atMs ?? toMs) - fromMs) / minuteMs)}
        aria-valuetext={atMs === undefined ? 'No moment can be restored' : momentText(new Date(atMs))}
        onChange={({ target }) => choose(fromMs + target.valueAsNumber * minuteMs)}
        className="h-11 w-full accent-accent"
      />
      <p className="flex justify-between text-small text-text-3 tabular-nums">
        <span>{momentText(new Date(fromMs))}</span>
        <span>{momentText(new Date(toMs))}</span>
      </p>
      <div className="grid grid-cols-4 gap-2">
        {steps.map(({ label, ms }) => (
          <Button
            key={label}
            disabled={atMs === undefined}
            onClick={() => (atMs === undefined ? undefined : choose(atMs + ms))}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
