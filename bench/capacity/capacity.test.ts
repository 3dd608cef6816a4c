import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../tools/source-files.ts'
import { demandsOf, goal, planText } from './plan.ts'
import { neededPerSecond, simulateDay, steadyPeakPerSecond } from './simulate-day.ts'
import { unitCosts } from './unit-costs.ts'

const page = readFileSync(join(root, 'docs/figures.md'), 'utf8')
const costs = unitCosts(page)

test('a day whose workers keep up has no wait, and one whose backlog grows every day has no end of it', () => {
  const arrivals = { runsPerDay: 864_000, onTheHour: 0 }
  // Ten a second on average, eighteen at noon.
  expect(steadyPeakPerSecond(arrivals)).toBeCloseTo(18)
  expect(simulateDay(arrivals, 18.1).longestWaitSeconds).toBeLessThan(1.01)
  expect(simulateDay(arrivals, 9.9).longestWaitSeconds).toBe(Number.POSITIVE_INFINITY)
  // What is late at noon is worked off at night.
  const late = simulateDay(arrivals, 12)
  expect(late.longestWaitSeconds).toBeGreaterThan(3_600)
  expect(late.longestWaitSeconds).toBeLessThan(86_400)
})

test('runs that schedules start on the hour decide how many workers are needed', () => {
  const arrivals = { runsPerDay: 864_000, onTheHour: 0.1 }
  const needed = neededPerSecond(arrivals, 60)
  // 3,600 at once, to be begun within a minute, beside what arrives anyway.
  expect(needed).toBeGreaterThan(60)
  expect(simulateDay(arrivals, needed).longestWaitSeconds).toBeLessThanOrEqual(60)
  expect(simulateDay(arrivals, needed * 0.99).longestWaitSeconds).toBeGreaterThan(60)
  expect(neededPerSecond({ ...arrivals, onTheHour: 0 }, 60)).toBeLessThan(20)
})

test('what runs out first stands first, and half of the people need half of the requests', () => {
  const shares = demandsOf(goal, costs).map(({ has, needed }) => has / needed)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  const requests = (users: number) =>
    demandsOf({ ...goal, users }, costs).find(({ resource }) => resource === 'requests, in the server')
  expect(requests(50_000)?.needed).toBeCloseTo((requests(100_000)?.needed ?? 0) / 2)
})

test('a figure that is gone is named', () => {
  expect(() => unitCosts(page.replace('| a round |', '| a turn |'))).toThrow('"a round" of metrics')
})

test('the plan in docs/growth.md is the one that these costs make', () => {
  const document = readFileSync(join(root, 'docs/growth.md'), 'utf8').replaceAll(/\s+/g, ' ')
  expect(document).toContain(planText(goal, costs).replaceAll(/\s+/g, ' '))
})
