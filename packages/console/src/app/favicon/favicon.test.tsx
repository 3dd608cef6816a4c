import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveProvider } from '../../data/live.ts'
import type { LiveConnection } from '../../data/live.ts'
import { setOrganizationHealth } from '../../data/organization-health.ts'
import Favicon from './favicon.tsx'

const icon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')
const page = (state: LiveConnection['state']) => (
  <LiveProvider value={{ state, lastLiveAt: 1, follow: () => () => undefined }}>
    <Favicon />
  </LiveProvider>
)

beforeEach(() => {
  const link = document.createElement('link')
  link.rel = 'icon'
  link.href = '/favicon.svg'
  document.head.append(link)
})
afterEach(() => {
  cleanup()
  icon()?.remove()
  setOrganizationHealth(0, 'healthy')
})

test('the icon follows health and connection, and is the plain mark again without the shell', () => {
  const { rerender, unmount } = render(page('live'))
  expect(icon()?.dataset['state']).toBe('healthy')
  act(() => setOrganizationHealth(0, 'failing'))
  expect(icon()?.dataset['state']).toBe('failing')
  rerender(page('reconnecting'))
  expect(icon()?.dataset['state']).toBe('disconnected')
  expect(icon()?.href).toMatch(/^data:image\/svg\+xml,/)
  rerender(page('live'))
  expect(icon()?.dataset['state']).toBe('failing')
  unmount()
  expect(icon()?.getAttribute('href')).toMatch(/\/favicon\.svg$/)
})
