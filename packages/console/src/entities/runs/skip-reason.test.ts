import { expect, test } from 'vitest'
import { skipReason } from './skip-reason.ts'

test.each([
  ['Its condition is false: inputs.warn', 'its condition is false: inputs.warn'],
  ['Skipped: "deploy" is taken by another run.', '"deploy" is taken by another run.'],
  ['The run timed out before it.', 'the run timed out before it.'],
  ['The run failed at "smoke".', 'the run failed at "smoke".'],
  ['', undefined],
])('a step that was skipped because "%s"', (note, expected) => {
  expect(skipReason({ status: 'skipped', note })).toBe(expected)
})

test('a step that was not skipped has no such reason', () => {
  expect(skipReason({ status: 'waiting', note: 'Waits for its turn.' })).toBeUndefined()
})
