import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, render, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../data/query-client.ts'
import { session } from '../data/session.ts'
import { createConsoleRouter } from './router.tsx'
import type { AppRouter } from './router.tsx'

const ada = {
  id: 7,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  organizations: [{ id: 1, name: 'Analytical Engines', role: 'OWNER' }],
  active_organization_id: 1,
  activeOrganizationId: 1,
  createdAt: '2026-11-21T12:00:00Z',
  updatedAt: '2026-11-21T12:00:00Z',
}

let router: AppRouter

// The client takes the page's fetch when it is imported, so the server has to stand before that.
const answers = vi.hoisted(() => {
  const byPath: Record<string, { status: number; body: unknown; until?: Promise<void> }> = {}
  globalThis.fetch = async (input) => {
    const path = new URL(input instanceof Request ? input.url : input, 'http://localhost').pathname
    const { status, body, until } = byPath[path] ?? {
      status: 404,
      body: { status: 404, detail: 'There is none.' },
    }
    await until
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
  return byPath
})

beforeEach(() => {
  answers['/health'] = { status: 200, body: { status: 'ok' } }
  answers['/api/auth/me'] = { status: 200, body: ada }
  answers['/version.json'] = { status: 200, body: { version: '0.1.0', deploymentId: 'd1' } }
  answers['/api/v1/status'] = { status: 200, body: { deploymentId: 'd1' } }
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal('scrollTo', () => undefined)
  Element.prototype.scrollTo = () => undefined
})

// Pages are loaded when they are opened, which a busy machine takes its time for.
configure({ asyncUtilTimeout: 20_000 })

// The shell loads the live socket by itself: not after the environment is gone.
afterAll(async () => void (await import('../data/live-socket.ts')))

afterEach(async () => {
  // A page that is still being loaded shows itself by a timer, which must not fire when the environment is gone.
  await vi.waitFor(() => expect(router.state.status).toBe('idle'), 60_000)
  cleanup()
  localStorage.clear()
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(path: string) {
  await session.start()
  router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  await act(async () => show())
}

function show() {
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const place = () => `${router.state.location.pathname}${router.state.location.searchStr}`

test('without a token a guarded page leads to the login page, with the way back', async () => {
  await open('/secrets?page=2')
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeTruthy()
  expect(place()).toBe('/login?from=%2Fsecrets%3Fpage%3D2')
})

test('with a token the page is shown inside the shell, and the document is named after it', async () => {
  localStorage.setItem('bey-token', 't')
  await open('/secrets')
  expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeTruthy()
  expect(screen.getByRole('navigation', { name: 'Services' })).toBeTruthy()
  expect(document.title).toBe('Secrets · Bey')
})

test('a 401 in the middle of a session leaves the page where it is', async () => {
  localStorage.setItem('bey-token', 't')
  await open('/profile')
  const heading = await screen.findByRole('heading', { name: 'Profile', level: 1 })
  const navigate = vi.spyOn(router, 'navigate')
  await act(async () => session.handleUnauthorized())
  expect(heading.isConnected).toBe(true)
  expect(place()).toBe('/profile')
  expect(navigate).not.toHaveBeenCalled()
  expect(localStorage.getItem('bey-token')).toBeNull()
})

test('a token that the server does not know any more leads to the login page once, with the way back', async () => {
  answers['/api/auth/me'] = { status: 401, body: { status: 401 } }
  localStorage.setItem('bey-token', 't')
  localStorage.setItem('bey-userData', JSON.stringify(ada))
  await open('/profile')
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeTruthy()
  expect(place()).toBe('/login?from=%2Fprofile')
})

test('after logging out nothing of the user is left, and the way back is none', async () => {
  localStorage.setItem('bey-token', 't')
  await open('/profile')
  await screen.findByRole('heading', { name: 'Profile', level: 1 })
  await act(async () => session.logout())
  await screen.findByRole('heading', { name: 'Login to your account' })
  expect(place()).toBe('/login')
  expect(localStorage.getItem('bey-token')).toBeNull()
  expect(localStorage.getItem('bey-userData')).toBeNull()
})

test('a server that is down keeps the token and offers to try again', async () => {
  answers['/api/auth/me'] = { status: 503, body: { status: 503, detail: 'The database is down.' } }
  localStorage.setItem('bey-token', 't')
  await open('/secrets')
  expect(await screen.findByText(/^Failed to get user: 503/)).toBeTruthy()
  expect(screen.getByText('The database is down.')).toBeTruthy()
  expect(localStorage.getItem('bey-token')).toBe('t')
  answers['/api/auth/me'] = { status: 200, body: ada }
  await act(async () => screen.getByRole('button', { name: 'Retry' }).click())
  expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeTruthy()
})

test('while the user loads, Loading... is shown in the place of the page', async () => {
  const gate = Promise.withResolvers<void>()
  answers['/api/auth/me'] = { status: 200, body: ada, until: gate.promise }
  localStorage.setItem('bey-token', 't')
  router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/secrets'] }))
  const started = session.start()
  await act(async () => show())
  expect(await screen.findByText('Loading...')).toBeTruthy()
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  gate.resolve()
  await act(() => started)
  expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeTruthy()
})

test('a user without an organization is led to create one', async () => {
  answers['/api/auth/me'] = { status: 200, body: { ...ada, organizations: [], active_organization_id: null } }
  localStorage.setItem('bey-token', 't')
  await open('/secrets')
  expect(await screen.findByRole('heading', { name: 'Create organization', level: 1 })).toBeTruthy()
})

test('who is signed in already is sent on from the login page, but never off this console', async () => {
  localStorage.setItem('bey-token', 't')
  await open('/login?from=%2Fprofile')
  expect(await screen.findByRole('heading', { name: 'Profile', level: 1 })).toBeTruthy()
  cleanup()
  await open('/login?from=%2F%2Fevil.example')
  await vi.waitFor(() => expect(place()).toBe('/'), 60_000)
})
