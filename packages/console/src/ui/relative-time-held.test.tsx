import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { holdClock } from '../lib/held-clock.ts'
import { useNow } from '../lib/now.ts'
import { RelativeTime } from './relative-time.tsx'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-23T00:45:00Z') }))
afterEach(() => {
  cleanup()
  holdClock(undefined)
  vi.useRealTimers()
})

function Seconds() {
  return <p>{Math.round((useNow(true) - Date.parse('2026-11-23T00:00:00Z')) / 1000)} s</p>
}

test('while the server does not answer nothing counts on, and then all of it at once', () => {
  render(
    <>
      <RelativeTime at="2026-11-23T00:44:30Z" />
      <Seconds />
    </>,
  )
  const wait = (ms: number) => {
    for (let waited = 0; waited < ms; waited += 1_000) act(() => void vi.advanceTimersByTime(1_000))
  }
  wait(5_000)
  screen.getByText('35 s ago')
  screen.getByText('2705 s')
  // The last answer came two seconds before that was noticed.
  act(() => holdClock(Date.now() - 2_000))
  wait(60_000)
  screen.getByText('33 s ago')
  screen.getByText('2703 s')
  act(() => holdClock(undefined))
  wait(1_000)
  screen.getByText('1 min ago')
  screen.getByText('2766 s')
})
