// @vitest-environment node
import { expect, test } from 'vitest'
import { statusLook, statusTable } from './status-table.ts'

test('the eight cluster statuses have the specified labels, in either case', () => {
  for (const label of [
    'pending',
    'creating',
    'running',
    'updating',
    'error',
    'deleted',
    'completed',
    'failed',
  ]) {
    expect(statusLook(label).label).toBe(label)
    expect(statusLook(label.toUpperCase()).label).toBe(label)
  }
})

test('an unknown, empty or missing status shows pending', () => {
  for (const status of ['bogus', '', null, undefined, 'constructor']) {
    expect(statusLook(status).label).toBe('pending')
  }
})

test('running is a dot and completed a grey check, never the other way round', () => {
  expect(statusLook('RUNNING').glyph).toBe('dot')
  expect(statusLook('COMPLETED')).toMatchObject({ glyph: 'check', tone: 'quiet' })
})

test('a running thing is a dot, a running run or step is half and pulses', () => {
  expect(statusLook('running')).toMatchObject({ glyph: 'dot', tone: 'ok', isBusy: false })
  expect(statusLook('RUNNING', 'run')).toMatchObject({ label: 'running', glyph: 'half', isBusy: true })
  expect(statusLook('failed', 'run')).toEqual(statusLook('failed'))
})

test('a dot represents what is healthy alone, and what is in flight pulses', () => {
  for (const look of Object.values(statusTable)) {
    if (look.glyph === 'dot')
      expect(look).toMatchObject({ tone: expect.stringMatching(/^(ok|quiet)$/), isBusy: false })
    if (look.isBusy) expect(look.glyph).toBe('half')
  }
})

test('only failures are red', () => {
  const red = Object.entries(statusTable)
    .filter(([, look]) => look.tone === 'danger')
    .map(([status]) => status)
  expect(red.sort()).toEqual([
    'auto_disabled',
    'disconnected',
    'enforced',
    'error',
    'exceeded',
    'exhausted',
    'failed',
    'failing',
    'firing',
    'grace',
    'not_ready',
    'reconnecting',
    'timed_out',
    'unreachable',
    'verify_failed',
  ])
})

test('words in several spellings find their status', () => {
  expect(statusLook('TimedOut').label).toBe('timed out')
  expect(statusLook('needs-attention').label).toBe('needs attention')
})
