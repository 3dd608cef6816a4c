import { expect, test } from 'vitest'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { changeBefore } from './change-before.ts'

const minute = 60_000
const mark = (at: number, kind: ChartMark['kind'], text: string): ChartMark => ({
  at: at * minute,
  kind,
  text,
})

test('the newest deployment before is named with its distance, else the newest edit', () => {
  const marks = [
    mark(1, 'deploy', 'Deployment search updated'),
    mark(3, 'deploy', 'Deployment cart updated'),
    mark(4, 'edit', 'Kaya Lind updated a quota'),
    mark(5, 'run', 'Back up shop'),
    mark(9, 'deploy', 'later'),
  ]
  expect(changeBefore(marks, 6 * minute)).toBe('3 min after Deployment cart updated')
  expect(changeBefore(marks.slice(2), 6 * minute)).toBe('2 min after Kaya Lind updated a quota')
})

test('what is older than a quarter of an hour, and what came later, is not named', () => {
  expect(changeBefore([mark(1, 'deploy', 'old')], 17 * minute)).toBeUndefined()
  expect(changeBefore([mark(2, 'deploy', 'later')], minute)).toBeUndefined()
  expect(changeBefore([mark(1, 'run', 'a run')], 2 * minute)).toBeUndefined()
})

test('of a cluster only what changed there is named, whatever texts end in', () => {
  const marks: ChartMark[] = [
    { ...mark(1, 'deploy', 'Deployment search updated in prod-eu'), cluster: 'prod-eu' },
    { ...mark(2, 'deploy', 'Deployment cart updated in staging'), cluster: 'staging' },
    mark(2, 'edit', 'Kaya Lind changed the board of what runs in prod-eu'),
  ]
  expect(changeBefore(marks, 3 * minute, 'prod-eu')).toBe('2 min after Deployment search updated in prod-eu')
  expect(changeBefore(marks, 3 * minute, 'prod')).toBeUndefined()
})
