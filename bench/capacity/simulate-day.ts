const secondsOfDay = 86_400

/** Runs of a day. */
export type Arrivals = {
  runsPerDay: number
  /** The share of them that schedules start in the first second of an hour, 0 to 1. */
  onTheHour: number
}

/** How a day went. */
export type Day = {
  /** The longest that a run waited for its turn, in seconds; Infinity where the backlog was not worked off in a day. */
  longestWaitSeconds: number
  /** The most runs that waited at once. */
  longestBacklog: number
}

/** How much more than on average arrives at a second of the day: people begin in the morning and stop at night. */
const curveAt = (second: number) => 1 - 0.8 * Math.cos((2 * Math.PI * second) / secondsOfDay)

/** The most that arrives in a second beside what is started on the hour. */
export const steadyPeakPerSecond = ({ runsPerDay, onTheHour }: Arrivals) =>
  (runsPerDay * (1 - onTheHour) * curveAt(secondsOfDay / 2)) / secondsOfDay

/**
 * Lets the runs of a day arrive second by second at workers that complete `perSecond` of them together. Runs wait in one queue;
 * the second day counts, so that a backlog of the night is there in the morning.
 */
export function simulateDay(arrivals: Arrivals, perSecond: number): Day {
  const { runsPerDay, onTheHour } = arrivals
  const steady = (runsPerDay * (1 - onTheHour)) / secondsOfDay
  const burst = (runsPerDay * onTheHour) / 24
  const day: Day = { longestWaitSeconds: 0, longestBacklog: 0 }
  let backlog = 0
  let atMidnight = 0
  for (let second = 0; second < 2 * secondsOfDay; second += 1) {
    if (second === secondsOfDay) atMidnight = backlog
    backlog += steady * curveAt(second % secondsOfDay) + (second % 3_600 === 0 ? burst : 0)
    if (second >= secondsOfDay) {
      day.longestBacklog = Math.max(day.longestBacklog, backlog)
      day.longestWaitSeconds = Math.max(day.longestWaitSeconds, backlog / perSecond)
    }
    backlog = Math.max(0, backlog - perSecond)
  }
  // What is left at the end of a day grows with every day.
  if (backlog > atMidnight + 1) day.longestWaitSeconds = Number.POSITIVE_INFINITY
  return day
}

/** The least that workers must complete in a second, so that no run waits for longer than `seconds`. */
export function neededPerSecond(arrivals: Arrivals, seconds: number): number {
  let [low, high] = [0, arrivals.runsPerDay]
  while (high - low > Math.max(0.01, high / 10_000)) {
    const middle = (low + high) / 2
    if (simulateDay(arrivals, middle).longestWaitSeconds <= seconds) high = middle
    else low = middle
  }
  return high
}
