import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RecoveryPlot } from './recovery-plot.tsx'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 12, minute)).toISOString()
const mebibyte = 1024 ** 2
const window = {
  ranges: [{ from: at(0), to: at(30) }],
  gaps: [],
  recovery: {
    measured: { drills: 3, baseMs: 30_000, walBytesPerSecond: mebibyte },
    teeth: [
      {
        backupId: 'a',
        points: [
          { at: at(0), walBytes: 0 },
          { at: at(30), walBytes: 60 * mebibyte },
        ],
      },
    ],
  },
  archive: {
    isOn: true,
    coveredUntil: at(30),
    lastSegment: null,
    lastSegmentAt: null,
    spooledBytes: 0,
    storedBytes: 0,
    problem: null,
  },
}
const draw = (recoveryTimeMinutes: number | null) =>
  renderToStaticMarkup(
    <RecoveryPlot
      window={window}
      range={{ fromMs: Date.parse(at(0)), toMs: Date.parse(at(30)) }}
      atMs={undefined}
      recoveryTimeMinutes={recoveryTimeMinutes}
    />,
  )

test('the promised time is a line, and what lies above it is marked', () => {
  const drawn = draw(1)
  expect(drawn).toContain('promised: 1 min')
  expect(drawn).toContain('stroke-warn')
})

test('a promise far above the times is said and not drawn; without one neither', () => {
  expect(draw(60)).toContain('Promised: 60 min, above this scale.')
  expect(draw(60)).not.toContain('data-promise')
  expect(draw(null)).not.toMatch(/promised/i)
})
