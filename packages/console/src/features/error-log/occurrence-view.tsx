import type { ErrorOccurrence } from '@bey/contract'
import type { useErrorOccurrence } from '../../data/error-log.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { CodeBlock, Identifier } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { BreadcrumbList } from './breadcrumb-list.tsx'
import { breadcrumbsOf, browserOf } from './error-text.ts'
import { StackFrames } from './stack-frames.tsx'

/** One occurrence in full: stack, components, what came before, and where it happened. */
export function OccurrenceView({ query }: { query: ReturnType<typeof useErrorOccurrence> }) {
  if (query.data) return <Occurrence occurrence={query.data.occurrence} />
  const failure = failureOf('Failed to fetch the occurrence', query)
  if (failure) return <ErrorState {...failure} isCompact />
  return (
    <DelayedSkeleton>
      <Skeleton className="h-48" />
    </DelayedSkeleton>
  )
}

function Occurrence({ occurrence }: { occurrence: ErrorOccurrence }) {
  const { frames, componentFrames, stack, componentStack, errorBoundaryStack, release } = occurrence
  const { breadcrumbs: _breadcrumbs, kind: _kind, requestId, ...context } = occurrence.additionalContext
  const crumbs = breadcrumbsOf(occurrence.additionalContext)
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[2fr_1fr]">
      <div className="flex min-w-0 flex-col gap-8">
        <Section title="Stack" aside={<RelativeTime at={occurrence.at} />}>
          {frames.length > 0 ? (
            <StackFrames frames={frames} label="Stack" release={release} />
          ) : (
            <p className="text-text-2">
              {stack ? 'The stack could not be read.' : 'This error came without a stack.'}
            </p>
          )}
          {stack ? <Raw label="Stack as the browser reported it" text={stack} /> : null}
        </Section>
        {componentStack ? (
          <Section title="Components">
            <StackFrames frames={componentFrames} label="Components" release={release} />
            <Raw label="Components as the browser reported them" text={componentStack} />
            {errorBoundaryStack ? <Raw label="From the boundary up" text={errorBoundaryStack} /> : null}
          </Section>
        ) : null}
        <Section title="Before it happened">
          <BreadcrumbList crumbs={crumbs} at={occurrence.reportedAt} />
        </Section>
        {Object.keys(context).length > 0 ? (
          <Section title="Context">
            <CodeBlock text={JSON.stringify(context, null, 2)} label="Context" />
          </Section>
        ) : null}
      </div>
      <Section title="This occurrence">
        <Facts facts={factsOf(occurrence, typeof requestId === 'string' ? requestId : undefined)} />
      </Section>
    </div>
  )
}

function factsOf(occurrence: ErrorOccurrence, requestId: string | undefined) {
  const { source, line, column, sessionId, errorBoundary, repeats, user, userAgent } = occurrence
  const place = source ? `${source}:${line ?? '?'}:${column ?? '?'}` : undefined
  return [
    { label: 'Happened', value: <RelativeTime at={occurrence.reportedAt} /> },
    { label: 'Times', value: repeats },
    { label: 'Person', value: user?.name ?? 'no longer a member' },
    { label: 'Page', value: <span className="break-all">{pathOf(occurrence.url)}</span> },
    { label: 'Release', value: <code className="font-mono text-small">{occurrence.release}</code> },
    { label: 'Browser', value: <span data-tooltip={userAgent}>{browserOf(userAgent)}</span> },
    ...(errorBoundary ? [{ label: 'Caught by', value: errorBoundary }] : []),
    ...(place
      ? [{ label: 'Script', value: <code className="font-mono text-small break-all">{place}</code> }]
      : []),
    ...(requestId
      ? [{ label: 'Request', value: <Identifier value={requestId} label="Copy request id" /> }]
      : []),
    ...(sessionId ? [{ label: 'Visit', value: <Identifier value={sessionId} label="Copy visit id" /> }] : []),
  ]
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url || '—'
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <details className="mt-2">
      <summary className="text-small text-text-2">{label}</summary>
      <div className="mt-1">
        <CodeBlock text={text.trim()} label={label} />
      </div>
    </details>
  )
}
