// @vitest-environment node
import { ApiError } from '@bey/client'
import type { Problem } from '@bey/contract'
import { expect, test } from 'vitest'
import {
  causeOf,
  errorMessage,
  errorText,
  failedUserText,
  fieldErrorsOf,
  isTransient,
  isUnauthorized,
} from './error-text.ts'

const given = (status: number, problem?: Partial<Problem>, statusText = 'Not Found') =>
  new ApiError({ kind: status === 0 ? 'network' : 'problem', status, statusText, problem })

const missing = given(404, { detail: 'There is no cluster 42 in this organization.', requestId: 'req-1' })

test('the catalogue sentence is followed by the detail and the request id', () => {
  expect(errorText('Failed to fetch clusters', missing)).toEqual({
    title: 'Failed to fetch clusters',
    detail: 'There is no cluster 42 in this organization.',
    requestId: 'req-1',
  })
})

test('401 has its own sentence, and only 401 is unauthorized', () => {
  expect(causeOf(given(401, { detail: 'No live session.' }))).toBe('Unauthorized: Please log in again.')
  expect(isUnauthorized(given(401))).toBe(true)
  for (const error of [missing, given(503), given(0), new TypeError('x'), null]) {
    expect(isUnauthorized(error)).toBe(false)
  }
})

test('without detail the status text stands in, or the form’s own sentence', () => {
  expect(causeOf(given(502, undefined, 'Bad Gateway'))).toBe('API call failed: Bad Gateway')
  expect(errorMessage(given(502, undefined, 'Bad Gateway'), 'Failed to login')).toBe('Failed to login')
  expect(errorMessage(given(400, { detail: 'Email address or password is wrong.' }), 'Failed to login')).toBe(
    'Email address or password is wrong.',
  )
})

test('asking again may help when the server is down, not when it refused', () => {
  expect(isTransient(given(0))).toBe(true)
  expect(isTransient(given(503))).toBe(true)
  expect(isTransient(missing)).toBe(false)
})

test('field errors are found by path', () => {
  const refused = given(400, { errors: [{ path: 'name', message: 'Enter a name.' }] })
  expect(fieldErrorsOf(refused)).toEqual({ name: 'Enter a name.' })
  expect(fieldErrorsOf(new Error('x'))).toEqual({})
})

test('what is no error at all still gets a sentence', () => {
  for (const nothing of [undefined, null, 'text', {}])
    expect(causeOf(nothing)).toBe('An unknown error occurred.')
})

test('a user that cannot be read is shown with the status of the answer, where there was one', () => {
  expect(failedUserText(given(503, undefined, 'Service Unavailable')).title).toBe(
    'Failed to get user: 503 Service Unavailable',
  )
  expect(failedUserText(given(0)).title).toBe('Failed to get user')
})
