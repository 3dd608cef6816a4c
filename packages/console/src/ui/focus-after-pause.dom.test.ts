import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { focusAfterPause } from './focus-after-pause.ts'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<input id="page"><div id="layer"><input id="password"></div>'
})
afterEach(() => void vi.useRealTimers())

const find = (id: string) => document.getElementById(id) as HTMLElement
const focused = () => document.activeElement?.id

function given() {
  find('page').focus()
  return focusAfterPause(find('layer'), () => find('password').focus())
}
function press(key: string): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  document.activeElement?.dispatchEvent(event)
  return event
}

test('keys keep the focus where it is until there is a pause of 500 ms', () => {
  given()
  for (let n = 0; n < 20; n += 1) {
    vi.advanceTimersByTime(499)
    expect(press('a').defaultPrevented).toBe(false)
    expect(focused()).toBe('page')
  }
  vi.advanceTimersByTime(500)
  expect(focused()).toBe('password')
})

test('without a key the focus moves after 500 ms', () => {
  given()
  vi.advanceTimersByTime(499)
  expect(focused()).toBe('page')
  vi.advanceTimersByTime(1)
  expect(focused()).toBe('password')
})

test('Tab goes into the layer at once', () => {
  given()
  expect(press('Tab').defaultPrevented).toBe(true)
  expect(focused()).toBe('password')
})

test('what was chosen in the layer, or a layer that is gone, is left alone', () => {
  const calls: string[] = []
  const layer = find('layer')
  for (const type of ['focusin', 'pointerdown']) {
    focusAfterPause(layer, () => calls.push(type))
    layer.dispatchEvent(new Event(type))
  }
  focusAfterPause(layer, () => calls.push('stopped'))()
  vi.advanceTimersByTime(5_000)
  expect(calls).toEqual([])
})
