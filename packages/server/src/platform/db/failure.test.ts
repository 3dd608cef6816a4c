import { expect, test } from 'vitest'

import { AppError } from '../errors.ts'
import { isLost, isRetryable, unavailable, violatedConstraint } from './failure.ts'

const driver = (fields: object, message = 'x') => Object.assign(new Error(message), fields)
const wrapped = (cause: unknown) => new Error('Failed query: select 1\nparams: ', { cause })

test.each([
  ['refused', driver({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['reset while a query runs', wrapped(driver({ code: 'ECONNRESET', syscall: 'read' }))],
  ['stopped by its administrator', wrapped(driver({ code: '57P01' }))],
  ['starting', driver({ code: '57P03' })],
  ['without a free connection', driver({ code: '53300' })],
  ['silent', driver({}, 'timeout expired')],
  ['gone', driver({}, 'Connection terminated unexpectedly')],
  ['too busy', driver({}, 'timeout exceeded when trying to connect')],
])('a database that is %s is unavailable', (_how, error) => {
  expect(isLost(error)).toBe(true)
  expect(unavailable(error)).toMatchObject({ code: 'unavailable', cause: error })
})

test.each([
  ['a file that is missing', driver({ code: 'ENOENT', syscall: 'open' }, 'no such file')],
  ['a broken statement', wrapped(driver({ code: '42601' }))],
  ['a bug', new TypeError('x is not a function')],
  ['what is no error at all', 'text'],
])('%s stays what it is', (_what, error) => {
  expect(unavailable(error)).toBe(error)
})

test('what the caller caused stays what it is', () => {
  const error = new AppError('not_found', 'No such cluster.', { cause: driver({ code: '57P01' }) })
  expect(unavailable(error)).toBe(error)
})

test('a full disk is said to be full', () => {
  expect(unavailable(wrapped(driver({ code: '53100' })))).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('free disk space'),
  })
})

test('a deadlock that was broken up is said to have done nothing, so that it is tried again', () => {
  const refused = unavailable(wrapped(driver({ code: '40P01' })))
  expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('try again') })
  expect(isRetryable(refused)).toBe(true)
  expect(isRetryable(unavailable(wrapped(driver({ code: '57P01' }))))).toBe(false)
})

test('a violated constraint is named, through whatever wraps it', () => {
  const error = wrapped(driver({ code: '23505', constraint: 'clusters_title_key' }))
  expect(violatedConstraint(error)).toBe('clusters_title_key')
  expect(violatedConstraint(wrapped(driver({ code: '42601', constraint: 'x' })))).toBeUndefined()
})
