import { expect, test } from 'vitest'
import { bandGeometry, binned, nodeTicks, pageGeometry, phoneGeometry, rowGeometry } from './node-ticks.ts'

const pod = (state: string, cpu: number | null = 0.5) => ({ state, cpu, memory: null })
const count = (path: string) => path.split('M').length - 1

test('each pod is a tick, filled from the bottom by its use; free slots go on as stubs', () => {
  const { ground, fill, failing, stubs } = nodeTicks(
    [pod('healthy'), pod('healthy', null), pod('failing')],
    rowGeometry,
    'cpu',
  )
  expect([count(ground), count(fill), count(failing), count(stubs)]).toEqual([2, 1, 1, 25])
  expect(ground.startsWith('M3 4h2v7')).toBe(true)
  expect(fill).toBe('M3 7h2v4h-2z')
  expect(failing).toBe('M9 4h2v7h-2z')
})

test('more pods than slots share them: the highest use counts, and failing wins', () => {
  const pods = [pod('healthy', 0.2), pod('healthy', 0.9), pod('healthy', 0.1), pod('failing', 0.1)]
  expect(binned(pods, 2, 'cpu')).toEqual([
    { use: 0.9, isFailing: false },
    { use: 0.1, isFailing: true },
  ])
})

test.each([rowGeometry, bandGeometry, phoneGeometry, pageGeometry])(
  'what is drawn stays within its cell: %#',
  (geometry) => {
    const { slots, tick, width, height } = geometry
    expect(slots.x + (slots.columns - 1) * tick.pitch + tick.width).toBeLessThanOrEqual(width)
    expect(slots.y + (slots.rows - 1) * slots.rowPitch + tick.height).toBeLessThanOrEqual(height)
  },
)
