import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FilterInput } from './filter-input.tsx'

const asked: string[] = []
let rerender: (value: string) => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  asked.length = 0
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const filter = (value: string) => (
  <FilterInput label="Filter pods" value={value} onChange={(text) => asked.push(text)} />
)
function begin() {
  const shown = render(filter(''))
  rerender = (value) => shown.rerender(filter(value))
}
const input = () => screen.getByRole<HTMLInputElement>('searchbox')
const type = (text: string) => fireEvent.input(input(), { target: { value: text } })
const wait = () => act(() => void vi.advanceTimersByTime(80))

test('the first key filters at once, and those that follow quickly together', () => {
  begin()
  type('w')
  expect(asked).toEqual(['w'])
  type('we')
  type('web')
  expect(asked).toEqual(['w'])
  wait()
  expect(asked).toEqual(['w', 'web'])
})

test('what is typed stays while the address follows, step by step', () => {
  begin()
  type('w')
  wait()
  type('we')
  expect(input().value).toBe('we')
  rerender('w')
  expect(input().value).toBe('we')
  rerender('we')
  expect(input().value).toBe('we')
  expect(asked).toEqual(['w', 'we'])
})

test('a value from outside takes the place of what was typed', () => {
  begin()
  type('web')
  rerender('web')
  rerender('')
  expect(input().value).toBe('')
  type('w')
  expect(asked.at(-1)).toBe('web')
  wait()
  expect(asked.at(-1)).toBe('w')
})
