import { expect, test } from 'vitest'
import { annotationMoves, annotationStatuses, consolePath } from './rules.ts'

const isOwn = (url: URL) => url.host === 'bey.example'

test.each([
  ['/workflows', '/workflows'],
  ['/workflows?status=failed&q=a%20b#top', '/workflows?status=failed&q=a%20b'],
  ['/a/../secrets', '/secrets'],
  ['https://bey.example/secrets?x=1', '/secrets?x=1'],
  ['HTTP://BEY.EXAMPLE', '/'],
])('%j is the page %j', (address, path) => {
  expect(consolePath(address, isOwn)).toBe(path)
})

test.each([
  '',
  'secrets',
  'https://elsewhere.example/',
  'https://bey.example.elsewhere.example/',
  'https://me@bey.example/',
  '//bey.example/',
  '/\\elsewhere.example',
  '/%2e//elsewhere.example',
  '/a\tb',
  'ftp://bey.example/',
  'javascript:alert(1)',
])('%j is no page of this console', (address) => {
  expect(consolePath(address, isOwn)).toBeUndefined()
})

test('every status can be left again, to another one', () => {
  for (const status of annotationStatuses) {
    expect(annotationMoves[status]).not.toContain(status)
    expect(annotationMoves[status].length).toBeGreaterThan(0)
  }
})
