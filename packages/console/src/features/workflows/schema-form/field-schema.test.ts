import { expect, test } from 'vitest'
import { durationMs, splitDuration } from './duration-text.ts'
import { defaultsOf, fieldKind, fieldLabel, fieldsOf, requiredOf } from './field-schema.ts'

test('each field is entered as its schema asks', () => {
  expect(fieldKind('url', { type: 'string' })).toBe('text')
  expect(fieldKind('body', { type: 'string', 'x-widget': 'textarea' })).toBe('long')
  expect(fieldKind('source', { type: 'string', 'x-widget': 'code' })).toBe('code')
  expect(fieldKind('success', { type: 'string', 'x-expression': ['response'] })).toBe('expression')
  expect(fieldKind('duration_ms', { type: 'integer' })).toBe('duration')
  expect(fieldKind('count', { type: ['integer', 'null'] })).toBe('number')
  expect(fieldKind('method', { type: 'string', enum: ['GET', 'PUT'] })).toBe('choice')
  expect(fieldKind('is_dry', { type: 'boolean' })).toBe('switch')
  expect(fieldKind('hosts', { type: 'array', items: { type: 'string' } })).toBe('lines')
  expect(fieldKind('headers', { type: 'object' })).toBe('free')
  expect(fieldKind('owner', { type: 'object', properties: { email: { type: 'string' } } })).toBe('group')
  expect(fieldKind('day', { type: 'string', format: 'date' })).toBe('date')
  expect(fieldKind('at', { type: 'string', format: 'date-time' })).toBe('time')
  expect(fieldKind('either', { anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('text')
  expect(fieldKind('both', { anyOf: [{ type: 'string' }, { type: 'object' }] })).toBe('free')
})

test('a schema of any shape gives fields, names and defaults, or none', () => {
  const schema = {
    type: 'object',
    required: ['cluster'],
    properties: { cluster: { type: 'string' }, wait_time_ms: { type: 'integer', default: 5 } },
  }
  expect(fieldsOf(schema).map(([name, field]) => fieldLabel(name, field))).toEqual(['Cluster', 'Wait time'])
  expect(requiredOf(schema).has('cluster')).toBe(true)
  expect(defaultsOf(schema)).toEqual({ wait_time_ms: 5 })
  expect([fieldsOf(null), fieldsOf('x'), fieldsOf({ properties: [] })]).toEqual([[], [], []])
})

test('a duration is shown in the largest unit in which it is whole', () => {
  expect(splitDuration(90_000)).toEqual({ count: 90, unit: 's' })
  expect(splitDuration(7_200_000)).toEqual({ count: 2, unit: 'h' })
  expect(splitDuration(1_500)).toEqual({ count: 1_500, unit: 'ms' })
  expect(durationMs(1.5, 'min')).toBe(90_000)
})
