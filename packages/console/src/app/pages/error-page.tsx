import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { messagePlacement } from '../../ui/message-placement.ts'
import { refetchPage } from '../../data/refetch-page.ts'
import { storedVersion } from '../../data/version.ts'
import { Notified } from '../../features/error-log/reporting/notified.tsx'
import { retryFailedPages } from '../lazy-page.ts'
import { errorReport, headlines, kindOf, messageOf, runOf } from './error-report.ts'

/** What takes a broken page's place; sidebar and header stay. */
export default function ErrorPage({ error, info, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [at] = useState(() => new Date())
  const kind = kindOf(error)
  const path = router.state.location.pathname
  const run = runOf(path)
  const report = errorReport({
    error,
    componentStack: info?.componentStack,
    path,
    version: storedVersion(),
    userAgent: navigator.userAgent,
    at,
  })
  const [isTrying, setTrying] = useState(false)
  const tryAgain = async () => {
    setTrying(true)
    retryFailedPages()
    await refetchPage()
    setTrying(false)
    reset()
    void router.invalidate()
  }
  return (
    <div role="alert" data-message="" className={messagePlacement}>
      <h1 className="text-title font-semibold">{headlines[kind]}</h1>
      <Notified error={error} />
      <p className="mt-3 break-words">{messageOf(error)}</p>
      {run ? (
        <p className="mt-1 text-text-2">
          This was the page of run <code className="font-mono text-small">{run.runId}</code>. The run itself
          goes on.
        </p>
      ) : null}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" busy={isTrying} onClick={() => void tryAgain()}>
          Try again
        </Button>
        <ButtonLink href="/">Return home</ButtonLink>
        {kind === 'loop' ? <Button onClick={clearAndReset}>Clear &amp; Reset</Button> : null}
      </div>
      <details className="mt-6 rounded-control border border-line">
        <summary className="px-3 py-2 font-medium">Error details</summary>
        <div className="relative border-t border-line bg-sunken">
          <div className="absolute top-1 right-1">
            <CopyButton text={report} label="Copy report" />
          </div>
          <pre
            // A box that scrolls must be reachable by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="max-h-80 overflow-auto p-3 pr-10 font-mono text-small whitespace-pre-wrap"
          >
            {report}
          </pre>
        </div>
      </details>
    </div>
  )
}

/** Clears what this tab has stored about the page, keeps the session, and starts over at home. */
function clearAndReset() {
  sessionStorage.clear()
  location.assign('/')
}
