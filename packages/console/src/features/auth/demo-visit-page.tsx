import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { enterDemoByTicket } from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { AuthLayout } from './auth-layout.tsx'

// One visit for each ticket, however often React mounts the page.
let visited: { ticket: string; reply: ReturnType<typeof enterDemoByTicket> } | undefined

/** Where the address that `npm start -- --demo` prints leads: it begins the visitor's session, or says why not. */
export function DemoVisitPage() {
  const router = useRouter()
  const state = useSession()
  // Read once: the ticket leaves the address as soon as it is used.
  const [ticket] = useState(() => location.hash.slice(1))
  const [hasEntered, setEntered] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (visited?.ticket !== ticket) {
      visited = { ticket, reply: enterDemoByTicket(ticket) }
      history.replaceState(history.state, '', location.pathname)
    }
    visited.reply.then(
      () => setEntered(true),
      (failure: unknown) => setError(errorMessage(failure, 'The demo was not opened')),
    )
  }, [ticket])
  const isInside = hasEntered && state.phase === 'signed-in'
  useEffect(() => {
    if (isInside) void router.navigate({ to: '/', replace: true })
  }, [isInside, router])

  if (error === undefined) {
    return (
      <main id="main" tabIndex={-1} className="p-6 text-text-2">
        Making the demo...
      </main>
    )
  }
  return (
    <AuthLayout>
      <h1 className="mb-4 text-title font-semibold">The demo was not opened</h1>
      <Notice tone="danger" title={error} />
      <p className="mt-6">
        <Link to="/signup" className="font-medium text-accent-text underline-offset-2 hover:underline">
          Create an account
        </Link>
      </p>
    </AuthLayout>
  )
}
