import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { absoluteTime } from './time-text.ts'
import { TooltipLayer } from './tooltip.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  // The page has been open for a while.
  vi.advanceTimersByTime(60_000)
  render(
    <>
      <button type="button" data-tooltip="the first">
        one
      </button>
      <button type="button" data-tooltip="the second">
        two
      </button>
      <nav data-tooltip-delay="0">
        <button type="button" data-tooltip="at once">
          three
        </button>
      </nav>
      <time data-tooltip-time="2026-11-21T12:04:31Z">2 min ago</time>
      <p>elsewhere</p>
      <table>
        <tbody>
          <tr>
            <td data-testid="cell" style={{ textOverflow: 'ellipsis' }}>
              <a href="/there">a name that is too long</a>
            </td>
          </tr>
        </tbody>
      </table>
      <TooltipLayer />
    </>,
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const point = (text: string) => fireEvent.pointerOver(screen.getByText(text))
const wait = (durationMs: number) => act(() => void vi.advanceTimersByTime(durationMs))
const shown = () => screen.queryByRole('tooltip')?.textContent

test('a tooltip opens after 700 ms', () => {
  point('one')
  wait(699)
  expect(shown()).toBeUndefined()
  wait(1)
  expect(shown()).toBe('the first')
})

test('the next one opens at once within 300 ms of the last, and later waits again', () => {
  point('one')
  wait(700)
  point('elsewhere')
  wait(299)
  point('two')
  wait(0)
  expect(shown()).toBe('the second')
  point('elsewhere')
  wait(300)
  point('one')
  wait(699)
  expect(shown()).toBeUndefined()
})

test('inside the sidebar it opens at once', () => {
  point('three')
  wait(0)
  expect(shown()).toBe('at once')
})

test('a time is written in full', () => {
  point('2 min ago')
  wait(700)
  expect(shown()).toBe(absoluteTime(new Date('2026-11-21T12:04:31Z')))
})

test('text that is cut off shows itself whole, and text that has room shows nothing', () => {
  const cell = screen.getByTestId('cell')
  const sizes = { scrollWidth: 200, clientWidth: 100 }
  for (const name of ['scrollWidth', 'clientWidth'] as const) {
    Object.defineProperty(cell, name, { configurable: true, get: () => sizes[name] })
  }
  point('a name that is too long')
  wait(700)
  expect(shown()).toBe('a name that is too long')
  point('elsewhere')
  sizes.clientWidth = 200
  wait(300)
  point('a name that is too long')
  wait(700)
  expect(shown()).toBeUndefined()
})
