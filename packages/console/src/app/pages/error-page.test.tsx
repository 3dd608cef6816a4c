import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import ErrorPage from './error-page.tsx'

vi.mock('@tanstack/react-router', () => ({
  useRouter: () => ({ state: { location: { pathname: '/workflows/w1/runs/r1' } }, invalidate: vi.fn() }),
}))
vi.mock('../../ui/link.tsx', () => ({
  Link: ({ href, children }: { href: string; children: string }) => <a href={href}>{children}</a>,
}))

beforeEach(() => sessionStorage.setItem('kept', 'yes'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (error: Error) => render(<ErrorPage error={error} reset={() => undefined} />)
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent)

test.each([
  [new Error('x is not a function'), 'Something went wrong'],
  [new Error('Maximum update depth exceeded.'), 'Infinite Loop Detected'],
  [new RangeError('Invalid time value'), 'Invalid Date Format'],
])('the headline of %s is %j', (error, headline) => {
  show(error)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(headline)
})

test('it offers to try again and to return home, and holds a report to copy', () => {
  show(new Error('x is not a function'))
  expect(buttons()).toContain('Try again')
  expect(buttons()).not.toContain('Clear & Reset')
  expect(screen.getByText('Return home').closest('a')?.getAttribute('href')).toBe('/')
  const details = screen.getByText('Error details').closest('details')
  expect(details?.querySelector('pre')?.textContent).toContain('Error: x is not a function')
  expect(screen.getByRole('button', { name: 'Copy report', hidden: true })).toBeTruthy()
})

test('a loop is also cleared and reset: what this tab remembers is forgotten, and home is opened', () => {
  const assign = vi.fn<(address: string) => void>()
  vi.stubGlobal('location', { assign, pathname: '/' })
  show(new Error('Too many re-renders.'))
  expect(buttons()).toContain('Clear & Reset')
  screen.getByRole('button', { name: 'Clear & Reset' }).click()
  expect(sessionStorage.getItem('kept')).toBeNull()
  expect(assign).toHaveBeenCalledWith('/')
})

test('on the page of a run it names the run', () => {
  show(new Error('x is not a function'))
  expect(screen.getByText(/^This was the page of run/).textContent).toContain('r1')
})
