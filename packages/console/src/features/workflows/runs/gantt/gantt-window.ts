import type { Span } from '../../../../entities/runs/expected-times.ts'
import type { Gantt } from '../../../../entities/runs/gantt/gantt.ts'
import { ticksOf } from '../../../../entities/runs/gantt/ticks.ts'

/** The shortest time that fills the axis. */
const shortestMs = 20

/** The part of a run that is shown, or undefined where that would be all of it or more. */
function windowOf(gantt: Gantt, centre: number, spanMs: number): Span | undefined {
  const whole = gantt.end - gantt.start
  const span = Math.max(spanMs, Math.min(whole, shortestMs))
  if (span >= whole) return undefined
  const from = Math.min(gantt.end - span, Math.max(gantt.start, centre - span / 2))
  return { from, to: from + span }
}

/** Half or twice the time, around what was chosen or the middle of what is shown. */
export function zoomed(
  gantt: Gantt,
  shown: Span | undefined,
  by: 'in' | 'out',
  focus: Span | undefined,
): Span | undefined {
  const { from, to } = shown ?? { from: gantt.start, to: gantt.end }
  const middle = (from + to) / 2
  const centre = by === 'in' && focus ? (focus.from + focus.to) / 2 : middle
  return windowOf(gantt, centre, by === 'in' ? (to - from) / 2 : (to - from) * 2)
}

/** A quarter of what is shown earlier or later. */
export function panned(gantt: Gantt, shown: Span, by: 1 | -1): Span | undefined {
  const span = shown.to - shown.from
  return windowOf(gantt, (shown.from + shown.to) / 2 + (by * span) / 4, span)
}

/** The run with the axis of a part of it. */
export function ganttWithin(gantt: Gantt, shown: Span | undefined): Gantt {
  if (!shown) return gantt
  const { origin } = gantt
  const isShown = (at: number | undefined) => at !== undefined && at >= shown.from && at <= shown.to
  return {
    ...gantt,
    start: shown.from,
    end: shown.to,
    ticks: ticksOf(shown.from - origin, shown.to - origin),
    now: isShown(gantt.now) ? gantt.now : undefined,
    expectedEnd: isShown(gantt.expectedEnd) ? gantt.expectedEnd : undefined,
  }
}
