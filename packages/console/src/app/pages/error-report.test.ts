// @vitest-environment node
import { expect, test } from 'vitest'
import { errorReport, kindOf, runOf } from './error-report.ts'

test('update-depth and invalid-time errors have their own variants', () => {
  expect(kindOf(new Error('Maximum update depth exceeded. This can happen …'))).toBe('loop')
  expect(kindOf(new Error('Too many re-renders. React limits …'))).toBe('loop')
  expect(kindOf(new RangeError('Invalid time value'))).toBe('date')
  expect(kindOf(new Error('x is not a function'))).toBe('generic')
  expect(kindOf('thrown text')).toBe('generic')
})

test('a run’s address is recognized', () => {
  expect(runOf('/workflows/w1/runs/r1')).toEqual({ workflowId: 'w1', runId: 'r1' })
  expect(runOf('/workflows/runs')).toBeUndefined()
})

test('the report says what, where, when and with which version, and names the run', () => {
  const report = errorReport({
    error: Object.assign(new Error('boom'), { requestId: 'req-1' }),
    path: '/workflows/w1/runs/r1',
    version: '0.1.0',
    userAgent: 'Test',
    at: new Date('2026-11-21T12:00:00Z'),
  })
  for (const part of [
    'Error: boom',
    'Run: r1',
    'Version: 0.1.0',
    '2026-11-21T12:00:00.000Z',
    'Request: req-1',
  ]) {
    expect(report).toContain(part)
  }
})
