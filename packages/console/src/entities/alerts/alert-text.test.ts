import { expect, test } from 'vitest'
import type { Alert } from '../../data/alerts.ts'
import { sinceLine, stateSentence } from './alert-text.ts'

const worst = { labels: {}, state: 'ok', since: '2026-11-23T08:47:00.000Z', value: null, peak: null } as const

/** An alert that is evaluated and within its limit. */
const alert = (value: number | null) =>
  ({
    state: 'ok',
    group: 'quiet',
    since: worst.since,
    silence: null,
    acknowledgedBy: null,
    error: null,
    worst: { ...worst, value },
    condition: { kind: 'threshold', direction: 'above', limit: 80 },
    forMs: 0,
    unit: 'percent',
    firingCount: 0,
    seriesCount: 0,
  }) as unknown as Alert

test('an alert none of whose series was ever measured waits, and names no value', () => {
  expect(stateSentence(alert(null))).toMatch(/^Waiting for the first value; it fires /)
  expect(sinceLine(alert(null))).toBe('waiting for the first value')
})

test('an alert with a value names it', () => {
  expect(stateSentence(alert(42))).toMatch(/^42 % now; it fires /)
})

test('an alert that fires says for how long, and who has it', () => {
  const firing = { ...alert(90), state: 'firing', group: 'firing' } as Alert
  const since = new Date(Date.now() - 50 * 60_000).toISOString()
  expect(sinceLine({ ...firing, since })).toBe('50 min, nobody has it')
  expect(
    sinceLine({ ...firing, since, acknowledgedBy: { name: 'Teo Marsh' } as Alert['acknowledgedBy'] }),
  ).toBe('50 min, Teo Marsh has it')
})
