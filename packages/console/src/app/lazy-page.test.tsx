import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPage, retryFailedPages } from './lazy-page.ts'

class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    if (!this.state.error) return this.props.children
    return (
      <>
        <p>{this.state.error.message}</p>
        <button
          type="button"
          onClick={() => {
            retryFailedPages()
            this.setState({ error: null })
          }}
        >
          Try again
        </button>
      </>
    )
  }
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function show(Page: () => ReactNode) {
  await act(async () =>
    render(
      <Boundary>
        <Suspense fallback="Loading...">
          <Page />
        </Suspense>
      </Boundary>,
    ),
  )
}

test('a page is loaded once, however often it is asked for', async () => {
  const load = vi.fn(async () => ({ Hello: () => <h1>Hello</h1> }))
  const Page = lazyPage(load, 'Hello')
  await Page.preload()
  await show(Page)
  expect(screen.getByRole('heading', { name: 'Hello' })).toBeTruthy()
  expect(load).toHaveBeenCalledOnce()
})

test('what a page shows is asked for before its chunk has come', async () => {
  const asked: string[] = []
  const load = async () => {
    await Promise.resolve()
    asked.push('chunk')
    return { Hello: () => <h1>Hello</h1> }
  }
  await lazyPage(load, 'Hello', () => asked.push('data')).preload()
  expect(asked).toEqual(['data', 'chunk'])
})

test('without the server a page says so, and comes when it is asked for again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  let isUp = false
  const load = vi.fn(async () => {
    if (!isUp) throw new TypeError('Failed to fetch dynamically imported module')
    return { Hello: () => <h1>Hello</h1> }
  })
  await show(lazyPage(load, 'Hello'))
  expect(screen.getByText(/server cannot be reached/)).toBeTruthy()
  expect(load).toHaveBeenCalledOnce()
  isUp = true
  await act(async () => screen.getByRole('button', { name: 'Try again' }).click())
  expect(screen.getByRole('heading', { name: 'Hello' })).toBeTruthy()
})
