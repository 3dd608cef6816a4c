import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSteadyIds } from './metrics.ts'

vi.mock('./session.ts', () => ({ useOrganizationId: () => 1 }))
afterEach(() => vi.useRealTimers())

function given() {
  vi.useFakeTimers()
  const { result, rerender } = renderHook(({ ids }) => useSteadyIds(ids), {
    initialProps: { ids: [] as number[] },
  })
  return { shown: () => result.current, show: (...ids: number[]) => rerender({ ids }) }
}

test('one that comes or goes is asked for half a minute later, together with the others', () => {
  const { shown, show } = given()
  show(1, 2)
  expect(shown()).toEqual([1, 2])
  show(3, 1, 2)
  act(() => void vi.advanceTimersByTime(20_000))
  show(3, 2)
  expect(shown()).toEqual([1, 2])
  act(() => void vi.advanceTimersByTime(10_000))
  expect(shown()).toEqual([3, 2])
})

test('entities of another organization are asked for at once, and until they are known nothing is', () => {
  const { shown, show } = given()
  show(1, 2)
  show()
  expect(shown()).toEqual([])
  show(8, 9)
  expect(shown()).toEqual([8, 9])
})
