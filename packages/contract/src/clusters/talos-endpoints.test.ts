import { expect, test } from 'vitest'
import { parseTalosEndpoints } from './talos-endpoints.ts'

test('Talos endpoints are read from a list or a JSON string, and are empty if invalid', () => {
  expect(parseTalosEndpoints(['10.0.0.1', '10.0.0.2'])).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(parseTalosEndpoints('["10.0.0.1"]')).toEqual(['10.0.0.1'])
  for (const bad of ['', 'nonsense', '{}', '"a"', null, undefined, 7, {}])
    expect(parseTalosEndpoints(bad)).toEqual([])
})
