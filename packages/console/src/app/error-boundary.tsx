import type { ErrorComponentProps } from '@tanstack/react-router'
import { Component, lazy, Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useLive } from '../data/live.ts'
import { causeOf } from '../lib/error-text.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { messagePlacement } from '../ui/message-placement.ts'
import { PageLoadError, retryFailedPages } from './lazy-page.ts'

// Seldom needed: loaded when a page breaks.
const ErrorPage = lazy(() => import('./pages/error-page.tsx'))

/** The error page in place of a broken page; sidebar and header stay. */
export function PageError(props: ErrorComponentProps) {
  if (props.error instanceof PageLoadError) return <MissingPage {...props} />
  return (
    <LastResort>
      <Suspense fallback={null}>
        <ErrorPage {...props} />
      </Suspense>
    </LastResort>
  )
}

/** The error page for failures outside the shell. */
export function WholePageError(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <PageError {...props} />
    </main>
  )
}

/** A page that did not load: retried by the user, or automatically once the server is back. */
function MissingPage({ error, reset }: ErrorComponentProps) {
  const { state } = useLive()
  const wasAway = useRef(false)
  useEffect(() => {
    if (state !== 'live') wasAway.current = true
    else if (wasAway.current) retry(reset)
  }, [state, reset])
  return (
    <ErrorState title="This page could not be loaded" detail={causeOf(error)} onRetry={() => retry(reset)} />
  )
}

function retry(reset: () => void) {
  retryFailedPages()
  reset()
}

/** Plain words for when even the error page cannot be loaded, as without a connection. */
class LastResort extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div role="alert" className={messagePlacement}>
        <h1 className="text-title font-semibold">Something went wrong</h1>
        <p className="mt-1 text-text-2">The error page could not be loaded either.</p>
        <p className="mt-3">
          <a href="/" className="font-medium text-accent-text underline">
            Return home
          </a>
        </p>
      </div>
    )
  }
}
