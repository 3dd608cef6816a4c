import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { session, useSession } from '../data/session.ts'
import { failedUserText } from '../lib/error-text.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LiveUpdates } from './live.tsx'
import { Loading } from './loading.tsx'
import { Shell } from './shell/shell.tsx'
import { wayBack } from './way-back.ts'

/** Lets a signed-in user through. The page of one whose session expired stays, while they log in over it. */
export function Guard() {
  const state = useSession()
  const { pathname } = useLocation()
  switch (state.phase) {
    case 'loading':
      return (
        <Whole>
          <Loading />
        </Whole>
      )
    case 'failed':
      return (
        <Whole>
          <ErrorState {...failedUserText(state.error)} onRetry={() => void session.start()} />
        </Whole>
      )
    case 'signed-out':
      return <LeaveForLogin hasWayBack={state.wasEnded} />
    case 'signed-in':
    case 'expired':
      if (state.user.organizations.length === 0 && pathname !== '/workspaces/create') {
        return <LeaveTo href="/workspaces/create" />
      }
      return (
        <LiveUpdates>
          <Shell />
        </LiveUpdates>
      )
  }
}

/** Shows login and sign-up, and sends on whoever is signed in to where they came from. */
export function AuthGate() {
  const state = useSession()
  const { search } = useLocation()
  if (state.phase === 'signed-in') return <LeaveTo href={wayBack(search).from ?? '/'} />
  return <Outlet />
}

function Whole({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

// The router's own Navigate goes again on every render, which never ends while the next page is on its way.
function LeaveTo({ href }: { href: string }) {
  const router = useRouter()
  // The address changes while the next page is on its way, and with it what this would be told to go to.
  const [target] = useState(href)
  useEffect(() => {
    void router.navigate({ href: target, replace: true })
  }, [router, target])
  return (
    <Whole>
      <Loading />
    </Whole>
  )
}

function LeaveForLogin({ hasWayBack }: { hasWayBack: boolean }) {
  const router = useRouter()
  useEffect(() => {
    const search = hasWayBack ? wayBack({ from: router.state.location.href }) : {}
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, hasWayBack])
  return (
    <Whole>
      <Loading />
    </Whole>
  )
}
