import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Below } from './below.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const box = () => screen.getByText('What goes with it').parentElement

test('what stands below is invisible until the part above has come', () => {
  const { rerender } = render(
    <Below isReady={false}>
      <p>What goes with it</p>
    </Below>,
  )
  expect(box()).toHaveProperty('className', 'contents invisible')
  rerender(
    <Below isReady>
      <p>What goes with it</p>
    </Below>,
  )
  expect(box()).toHaveProperty('className', 'contents')
})

test('a part that takes longer than 2 s is no longer waited for', () => {
  vi.useFakeTimers()
  render(
    <Below isReady={false}>
      <p>What goes with it</p>
    </Below>,
  )
  act(() => void vi.advanceTimersByTime(1_999))
  expect(box()).toHaveProperty('className', 'contents invisible')
  act(() => void vi.advanceTimersByTime(1))
  expect(box()).toHaveProperty('className', 'contents')
})
