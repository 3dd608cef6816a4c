// @vitest-environment node
import { expect, test } from 'vitest'
import {
  formatBytes,
  formatChangedLines,
  formatCount,
  formatCpu,
  formatDuration,
  formatElapsed,
  formatNumber,
  formatPercent,
} from './format.ts'

test('numbers are grouped, and what is no number is a dash', () => {
  expect(formatNumber(10_000)).toBe('10,000')
  expect(formatNumber(0)).toBe('0')
  for (const nothing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(formatNumber(nothing)).toBe('—')
    expect(formatBytes(nothing)).toBe('—')
    expect(formatCpu(nothing)).toBe('—')
    expect(formatDuration(nothing)).toBe('—')
    expect(formatPercent(nothing)).toBe('—')
  }
})

test('one thing is singular', () => {
  expect(formatCount(1, 'node')).toBe('1 node')
  expect(formatCount(0, 'node')).toBe('0 nodes')
  expect(formatCount(1204, 'replica')).toBe('1,204 replicas')
})

test('one changed line is singular', () => {
  expect(formatChangedLines({ added: 1, removed: 2 })).toBe('1 line added, 2 removed')
  expect(formatChangedLines({ added: 0, removed: 1 })).toBe('0 lines added, 1 removed')
  expect(formatChangedLines({ added: 1204, removed: 1204 })).toBe('1,204 lines added, 1,204 removed')
})

test('bytes use binary units and never show 1,024 of one', () => {
  expect(formatBytes(0)).toBe('0 B')
  expect(formatBytes(1023)).toBe('1,023 B')
  expect(formatBytes(16 * 1024 ** 3)).toBe('16 GiB')
  expect(formatBytes(1.5 * 1024 ** 4)).toBe('1.5 TiB')
  expect(formatBytes(1024 ** 3 - 1)).toBe('1 GiB')
})

test('cpu is millicores below a core and cores above', () => {
  expect(formatCpu(0)).toBe('0 cores')
  expect(formatCpu(250)).toBe('250m')
  expect(formatCpu(1000)).toBe('1 core')
  expect(formatCpu(61_500)).toBe('61.5 cores')
})

test('durations keep their second unit', () => {
  expect(formatDuration(340)).toBe('340 ms')
  expect(formatDuration(22_400)).toBe('22 s')
  expect(formatDuration(72_000)).toBe('1 min 12 s')
  expect(formatDuration(3 * 3_600_000 + 5 * 60_000)).toBe('3 h 05 min')
  expect(formatDuration(12 * 86_400_000 + 4 * 3_600_000)).toBe('12 d 4 h')
  expect(formatDuration(-5)).toBe('0 ms')
})

test('an open span lasts until now, and one that has not begun has no length', () => {
  const now = Date.parse('2026-11-21T12:00:10Z')
  expect(formatElapsed('2026-11-21T12:00:00Z', null, now)).toBe('10 s')
  expect(formatElapsed('2026-11-21T12:00:00Z', '2026-11-21T12:00:04Z', now)).toBe('4 s')
  expect(formatElapsed(null, null, now)).toBe('—')
})
