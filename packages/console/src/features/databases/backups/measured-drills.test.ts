import { expect, test } from 'vitest'
import { measuredDrills } from './measured-drills.ts'

const drill = (
  totalMs: number | null,
  lostMs: number | null,
  proof: 'passed' | 'could_not_run' = 'passed',
) => ({
  kind: 'drill' as const,
  proof,
  lostMs,
  durations: { restoreMs: null, replayMs: null, validateMs: null, totalMs },
})

test('the median and the worst of drills that restored something are said, of others nothing', () => {
  expect(
    measuredDrills([
      drill(7_000, 2_000),
      drill(null, null, 'could_not_run'),
      drill(5_000, 2_000),
      drill(6_000, 2_000),
    ]),
  ).toEqual({ drills: 3, back: '6 s, worst 7 s', lost: '2 s' })
  expect(measuredDrills([])).toEqual({ drills: 0, back: '—', lost: '—' })
})
