import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what was copied is confirmed for 2 s', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  render(<CopyButton text="prod-eu-1" />)
  await act(async () => screen.getByRole('button', { name: 'Copy' }).click())
  expect(writeText).toHaveBeenCalledWith('prod-eu-1')
  act(() => void vi.advanceTimersByTime(1_999))
  expect(screen.queryByRole('button', { name: 'Copied' })).not.toBeNull()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull()
})
