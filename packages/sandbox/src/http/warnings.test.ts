import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { warn } from './warnings.ts'

function warnings(texts: readonly string[]): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  for (const text of texts) warn(response, text)
  return [response.getHeader('Warning') ?? []].flat().map(String)
}

test('each warning is sent once, quoted, in plain characters', () => {
  expect(warnings(['a "b" \\', 'é', 'é', ''])).toEqual(['299 - "a \\"b\\" \\\\"', '299 - "?"'])
})

test('many warnings are left out where 4 KiB are full, and long ones cut from there on', () => {
  const many = Array.from({ length: 300_000 }, (_, index) => `unknown field "spec.x${index}"`)
  const sent = warnings(many)
  expect(sent.length).toBeGreaterThan(100)
  expect(sent.join('').length).toBeLessThan(8_000)
  expect(warnings(['x'.repeat(3_000), 'y'.repeat(2_000)]).map((each) => each.length)).toEqual([264, 264])
  expect(warnings(['x'.repeat(4_000)])[0]).toHaveLength(4_008)
})
