import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { session, useSession } from '../data/session.ts'
import { failedUserText } from '../lib/error-text.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Admission } from './admission.tsx'
import { LiveUpdates } from './live.tsx'
import { Loading } from './loading.tsx'
import { Shell } from './shell/shell.tsx'
import { parseReturnPath } from './return-path.ts'

/** Lets a signed-in user through. The page of one whose session expired stays, while they log in over it. */
export function Guard() {
  const state = useSession()
  const { pathname } = useLocation()
  switch (state.phase) {
    case 'loading':
      return (
        <WholePage>
          <Loading />
        </WholePage>
      )
    case 'failed':
      return (
        <WholePage>
          <ErrorState {...failedUserText(state.error)} onRetry={() => void session.start()} />
        </WholePage>
      )
    case 'signed-out':
      return <LeaveForLogin hasReturnPath={state.wasEnded} />
    case 'signed-in':
    case 'expired':
      if (state.user.organizations.length === 0 && pathname !== '/workspaces/create') {
        return <LeaveTo href="/workspaces/create" />
      }
      return (
        <Admission>
          <LiveUpdates>
            <Shell />
          </LiveUpdates>
        </Admission>
      )
  }
}

/** Shows login and sign-up. A signed-in user is sent back to the page they came from. */
export function AuthGate() {
  const state = useSession()
  const { search } = useLocation()
  if (state.phase === 'signed-in') return <LeaveTo href={parseReturnPath(search).from ?? '/'} />
  return <Outlet />
}

/** A page that stands alone, without the frame of the console. */
export function WholePage({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

// Navigate of the router navigates on every render, which never ends while the next page loads.
function LeaveTo({ href }: { href: string }) {
  const router = useRouter()
  // The address changes while the next page loads, so the first target is kept.
  const [target] = useState(href)
  useEffect(() => {
    void router.navigate({ href: target, replace: true })
  }, [router, target])
  return (
    <WholePage>
      <Loading />
    </WholePage>
  )
}

/** Leaves for the login; with a return path the page is opened again afterwards. */
export function LeaveForLogin({ hasReturnPath }: { hasReturnPath: boolean }) {
  const router = useRouter()
  useEffect(() => {
    const search = hasReturnPath ? parseReturnPath({ from: router.state.location.href }) : {}
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, hasReturnPath])
  return (
    <WholePage>
      <Loading />
    </WholePage>
  )
}
