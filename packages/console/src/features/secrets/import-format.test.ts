// @vitest-environment node
import { expect, test } from 'vitest'
import { detectFormat } from './import-format.ts'

test.each([
  ['# Of the shop\n\nexport A=1', 'env'],
  ['DB_URL=postgres://a:b@c/d', 'env'],
  ['a: "x=y"\nb: 2', 'yaml'],
  ['', 'yaml'],
  ['apiVersion: v1\nkind: Secret\nmetadata: { name: a }', 'kubernetes'],
  ['{"apiVersion": "v1",\n"kind": "Secret"}', 'kubernetes'],
])('%j is taken for %s', (text, format) => {
  expect(detectFormat(text)).toBe(format)
})
