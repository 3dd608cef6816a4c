import { cleanup, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LastDrill } from './last-drill.tsx'

type Drill = Parameters<typeof LastDrill>[0]['drills'][number]
const drill = (proof: Drill['proof']): Drill => ({
  id: proof,
  at: new Date(Date.now() - 2 * 3_600_000 - 1_000).toISOString(),
  proof,
})
function textOf(...proofs: Drill['proof'][]) {
  const { container } = render(<LastDrill drills={proofs.map(drill)} />)
  const text = container.textContent
  cleanup()
  return text
}

test('the last drill alone says whether a restore is proven', () => {
  expect(textOf()).toBe('never')
  expect(textOf('failed', 'passed')).toBe('passed 2 h ago')
  expect(textOf('passed', 'failed')).toBe('failed 2 h ago')
  expect(textOf('passed', 'could_not_run')).toBe('could not run 2 h ago')
})
