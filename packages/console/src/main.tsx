import { onCaughtError } from './features/error-log/reporting/early.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { preloadPage } from './app/preload-page.ts'
import { router } from './app/router.tsx'
import { queryClient } from './data/query-client.ts'
import { session } from './data/session.ts'
import { reportRoutesOf } from './features/error-log/reporting/route-source.ts'
import './ui/styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root".')

reportRoutesOf({
  shownRoute: () => router.state.matches.at(-1)?.fullPath,
  onOpened: (listener) => router.subscribe('onResolved', ({ toLocation }) => listener(toLocation.pathname)),
})
// Decides between cached user, login and waiting before the first route is matched.
void session.start()
preloadPage(router)

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
