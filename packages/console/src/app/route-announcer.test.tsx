import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Dialog } from 'radix-ui'
import { afterEach, expect, test } from 'vitest'
import { RouteAnnouncer } from './route-announcer.tsx'

afterEach(cleanup)

test('the focus goes to the page that came', async () => {
  const router = await showPages({ panel: false })
  await act(() => router.navigate({ to: '/secrets' }))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a panel that was opened while the page came keeps the focus, and stays open', async () => {
  const router = await showPages({ panel: true })
  const field = screen.getByPlaceholderText('Search')
  await act(() => router.navigate({ to: '/secrets' }))
  expect(router.state.location.pathname).toBe('/secrets')
  expect(document.activeElement).toBe(field)
})

async function showPages({ panel }: { panel: boolean }) {
  const root = createRootRoute({
    component: () => (
      <>
        <RouteAnnouncer />
        <main tabIndex={-1}>
          <Outlet />
        </main>
        <Dialog.Root open={panel} modal={false}>
          <Dialog.Content aria-describedby={undefined}>
            <Dialog.Title>Services</Dialog.Title>
            <input placeholder="Search" />
          </Dialog.Content>
        </Dialog.Root>
      </>
    ),
  })
  const pages = ['/', '/secrets'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => <h1>{path}</h1> }),
  )
  const router = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await act(() => router.load())
  render(<RouterProvider router={router as never} />)
  await screen.findByRole('heading', { name: '/' })
  return router
}
