import { Outlet } from '@tanstack/react-router'
import { session, useSession } from '../data/session.ts'
import { failedUserText } from '../lib/error-text.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { LeaveForLogin, WholePage } from './guard.tsx'
import { Loading } from './loading.tsx'

/** Lets a signed-in user through to a page without the frame of the console; anybody else logs in first. */
export function BareGuard() {
  const state = useSession()
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
    case 'expired':
      return <LeaveForLogin hasReturnPath />
    case 'signed-in':
      return <Outlet />
  }
}
