// @vitest-environment node
import { expect, test } from 'vitest'
import { parseReturnPath } from './return-path.ts'

test('the way back is a path of this console', () => {
  expect(parseReturnPath({ from: '/kubernetes/clusters?page=2' })).toEqual({
    from: '/kubernetes/clusters?page=2',
  })
})

test('a way back that leads elsewhere, or nowhere, is dropped', () => {
  for (const from of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    '/',
    42,
  ]) {
    expect(parseReturnPath({ from }), String(from)).toEqual({})
  }
  expect(parseReturnPath({})).toEqual({})
})
