import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listenForClosed, listenForShown, toast } from './toast.ts'
import type { ToastType } from './toast.ts'
import Toaster from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})
afterEach(() => {
  act(() => void sonner.dismiss())
  act(() => void vi.advanceTimersByTime(10_000))
  cleanup()
  vi.useRealTimers()
})

const say = (type: ToastType, text: string, options = {}) =>
  act(() => {
    toast(type, text, options)
    vi.advanceTimersByTime(100)
  })
const wait = (durationMs: number) => act(() => void vi.advanceTimersByTime(durationMs))

test('each type looks its own way, and is announced as what it is', () => {
  const colors: Record<ToastType, string | null> = {
    success: 'text-ok',
    info: 'text-info',
    warning: 'text-warn',
    error: 'text-danger',
    loading: 'text-info',
    default: null,
  }
  for (const [type, color] of Object.entries(colors) as [ToastType, string | null][]) {
    say(type, `It is ${type}`)
    const card = screen.getByText(`It is ${type}`).closest('[role]')
    expect(card?.getAttribute('role')).toBe(type === 'error' ? 'alert' : 'status')
    const mark = card?.querySelector('svg')?.parentElement
    if (color) expect(mark?.className).toContain(color)
    else expect(mark?.tagName).toBe('BUTTON')
  }
})

test('three are seen at once, and errors stay until they are closed', () => {
  const said: string[] = []
  const closed: string[] = []
  const stops = [
    listenForShown(({ text }) => said.push(text)),
    listenForClosed(({ text }) => closed.push(text)),
  ]
  say('error', 'zero', { description: 'Because.', requestId: 'r1' })
  for (const text of ['one', 'two', 'three']) say('success', text)
  expect(document.querySelectorAll('[data-sonner-toast][data-visible="true"]')).toHaveLength(3)
  // The last one is 100 ms old: after 3,999 ms it is there, after 4,000 it leaves.
  wait(3_899)
  expect(screen.queryByText('three')).not.toBeNull()
  wait(1)
  wait(1_000)
  expect(screen.queryByText('three')).toBeNull()
  wait(60_000)
  expect(screen.queryByText('zero')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  // First it leaves, then it is gone.
  wait(100)
  wait(1_000)
  expect(screen.queryByText('zero')).toBeNull()
  expect(said.slice(-4)).toEqual(['zero', 'one', 'two', 'three'])
  expect(closed).toEqual(['zero'])
  for (const stop of stops) stop()
})
