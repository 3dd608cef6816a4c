import { expect, test } from 'vitest'
import { allFields, isContinuation, parseLine, plainLine, severityOf } from './log-text.ts'

test('sequences for a terminal are taken out, and a hostile line stays a line', () => {
  expect(plainLine('\u001b[31;1mred\u001b[0m plain')).toBe('red plain')
  expect(plainLine('\u001b]0;title\u0007after\u001b[2J\u001b[H')).toBe('after')
  expect(plainLine('a\tb\u0000\u0008c\u007f')).toBe('a    bc')
})

test('severity is found as common loggers write it', () => {
  const lines = {
    '{"level":"warn","msg":"slow"}': 'warn',
    '{"time":"x","level":50,"msg":"no"}': 'error',
    '{"severity":"CRITICAL","message":"no"}': 'fatal',
    'time=2026-11-21T12:00:00Z level=debug msg=x': 'debug',
    'E1121 12:00:00.000000 1 reflector.go:1] failed': 'error',
    '[WARN] something': 'warn',
    '2026-11-21 12:00:00,123 ERROR com.example.Main - no': 'error',
    'LOG:  checkpoint complete': 'info',
    '10.0.0.1 - - [x] "GET / HTTP/1.1" 503 12 "-"': 'error',
    'panic: configuration is incomplete': 'fatal',
    'an errorless line': 'none',
  }
  expect(Object.fromEntries(Object.keys(lines).map((line) => [line, severityOf(line)]))).toEqual(lines)
})

test('a JSON line is its message and its fields, without what has a column of its own', () => {
  const line = '{"level":"info","ts":1,"msg":"order priced","order":"8812-c","ms":14,"deep":{"a":[1]}}'
  expect(parseLine(line)).toEqual({
    message: 'order priced',
    fields: [
      ['order', '8812-c'],
      ['ms', '14'],
      ['deep', '{"a":[1]}'],
    ],
  })
  expect(allFields(line).map(([key]) => key)).toEqual(['level', 'ts', 'msg', 'order', 'ms', 'deep'])
  for (const text of ['{broken', '{"a":1} tail', '[1]', 'plain'])
    expect(parseLine(text)).toEqual({ message: text, fields: [] })
})

test('the lines of a stack trace belong to the line before', () => {
  expect(isContinuation('    at com.example.Main.main(Main.java:12)')).toBe(true)
  expect(isContinuation('Caused by: java.io.IOException')).toBe(true)
  expect(isContinuation('next')).toBe(false)
})
