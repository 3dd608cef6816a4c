import { Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { session, useSession } from '../data/session.ts'
import { errorText } from '../lib/error-text.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LiveUpdates } from './live.tsx'
import { Loading } from './loading.tsx'
import { wayBack } from './way-back.ts'
import { Shell } from './shell/shell.tsx'

/** Lets a signed-in user through; a 401 at any time leads back to /login, keeping the way back. */
export function Guard() {
  const state = useSession()
  const location = useLocation()
  switch (state.phase) {
    case 'loading':
      return <Loading />
    case 'failed':
      return (
        <ErrorState {...errorText('Failed to get user', state.error)} onRetry={() => void session.start()} />
      )
    case 'signed-out':
      return <Navigate to="/login" search={state.wasEnded ? wayBack({ from: location.href }) : {}} replace />
    case 'signed-in':
      if (state.user.organizations.length === 0 && location.pathname !== '/workspaces/create') {
        return <Navigate to="/workspaces/create" replace />
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
  const router = useRouter()
  const isSignedIn = state.phase === 'signed-in'
  const target = wayBack(search).from ?? '/'
  useEffect(() => {
    if (isSignedIn) void router.navigate({ href: target, replace: true })
  }, [isSignedIn, router, target])
  return isSignedIn ? null : <Outlet />
}
