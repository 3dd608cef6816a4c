import { expect, test } from 'vitest'
import { nextRun, checkSchedule, parseSchedule } from './controllers/cron-schedule.ts'
import { applyJsonPatch } from './patch/json-patch.ts'
import { applyMergePatch } from './patch/merge-patch.ts'
import { formatBytes, formatCpu, parseQuantity } from './quantity.ts'
import { parseLabelSelector } from './selectors.ts'
import { ageText } from './table/cells.ts'

test('quantities are read in every notation and written in their own', () => {
  const values = ['100m', '1.5', '2Gi', '1e3', '5k', '.5'].map(parseQuantity)
  expect(values).toEqual([0.1, 1.5, 2 ** 31, 1000, 5000, 0.5])
  expect(['1.5.2', 'Gi', '1 Gi', '', '--1'].map(parseQuantity)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([formatCpu(0.25), formatCpu(2), formatBytes(2 ** 30), formatBytes(1500)]).toEqual([
    '250m',
    '2',
    '1Gi',
    '1500',
  ])
})

test('ages are written as kubectl writes them', () => {
  const second = 1000
  const hour = 3600 * second
  const texts = [
    5 * second,
    119 * second,
    519 * second,
    20 * 60 * second,
    3.2 * hour,
    40 * hour,
    50 * hour,
    400 * 24 * hour,
  ].map(ageText)
  expect(texts).toEqual(['5s', '119s', '8m39s', '20m', '3h12m', '40h', '2d2h', '400d'])
})

test('label selectors say what they select', () => {
  const test = parseLabelSelector('app=web,tier in (a, b),!canary,version!=2')
  expect(test({ app: 'web', tier: 'b' })).toBe(true)
  expect(test({ app: 'web', tier: 'c' })).toBe(false)
  expect(test({ app: 'web', tier: 'a', canary: '' })).toBe(false)
  expect(() => parseLabelSelector('a in')).toThrow(/unable to parse/)
})

test('a schedule runs when cron says, in its own time zone', () => {
  const at = (text: string) => Date.parse(text)
  const next = (schedule: string, after: string, zone?: string) =>
    new Date(nextRun(parseSchedule(schedule), at(after), zone) ?? 0).toISOString()
  expect(next('*/15 * * * *', '2026-03-01T10:07:30Z')).toBe('2026-03-01T10:15:00.000Z')
  expect(next('0 9 * * mon', '2026-11-21T00:00:00Z')).toBe('2026-11-23T09:00:00.000Z')
  expect(next('30 8 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-07-01T06:30:00.000Z')
  expect(next('0 0 29 2 *', '2026-01-01T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z')
  expect(nextRun(parseSchedule('0 0 31 2 *'), 0)).toBeUndefined()
  expect(checkSchedule('* * *')).toContain('expected exactly 5 fields')
  expect(checkSchedule('61 * * * *')).toContain('above maximum')
})

test('patches follow their RFCs and leave the original alone', () => {
  const document = { a: { b: [1, 2] }, c: 'x' }
  const patched = applyJsonPatch(document, [
    { op: 'test', path: '/c', value: 'x' },
    { op: 'add', path: '/a/b/-', value: 3 },
    { op: 'move', from: '/c', path: '/d' },
    { op: 'remove', path: '/a/b/0' },
  ])
  expect(patched).toEqual({ a: { b: [2, 3] }, d: 'x' })
  expect(document).toEqual({ a: { b: [1, 2] }, c: 'x' })
  expect(() => applyJsonPatch(document, [{ op: 'remove', path: '/nope' }])).toThrow(/nonexistent key/)
  expect(applyMergePatch(document, { a: { b: null, e: 1 } })).toEqual({ a: { e: 1 }, c: 'x' })
  applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))
  expect({}).not.toHaveProperty('polluted')
})
