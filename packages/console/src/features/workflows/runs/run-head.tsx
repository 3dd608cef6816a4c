import type { Run, StepRun } from '@bey/contract'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { EntityLink } from '../../../entities/entity-link.tsx'
import { doneText, runSentence } from '../../../entities/runs/run-sentence.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { formatCount } from '../../../lib/format.ts'
import { runHref, runTitle, startedText } from '../../../lib/run-text.ts'
import { cx } from '../../../ui/class-names.ts'
import { Identifier } from '../../../ui/code-block.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import { tabHref } from './run-location.ts'

const linkClass = 'underline decoration-line-strong underline-offset-2 hover:text-accent-text'

/** The status, and how often another process had to continue it. */
export function RunBadges({ run }: { run: Run }) {
  return <Status of="run" status={run.status} variant="badge" />
}

/** Two lines: what the run does, and what is known about it. */
export function RunSubtitle({ detail, now }: { detail: RunDetail; now: number }) {
  const { text, detail: more } = runSentence(detail, now)
  return (
    <div className="flex flex-col gap-2">
      <p>
        <span className="text-text">{text}</span> {more}
      </p>
      <RunFacts detail={detail} />
    </div>
  )
}

function RunFacts({ detail }: { detail: RunDetail }) {
  const { run, steps, workflow, children, retries } = detail
  const facts: [string, ReactNode][] = [
    ['done', <span key="done">{doneText(steps)}</span>],
    [
      'started',
      <span key="started">
        {startedText(run)} <RelativeTime at={run.queuedAt} />
      </span>,
    ],
  ]
  if (run.subject) {
    facts.push([
      'subject',
      <EntityLink key="subject" entity={run.subject} className={linkClass}>
        {run.subject.name}
      </EntityLink>,
    ])
  }
  if (run.version !== null) {
    const isNewer = workflow.version > run.version
    facts.push([
      'version',
      <Link key="version" href={`/workflows/${run.workflowId}?tab=versions`} className={linkClass}>
        version {run.version}
        {isNewer ? `, newest ${workflow.version}` : ''}
      </Link>,
    ])
  }
  if (run.parent) {
    facts.push([
      'parent',
      <Link key="parent" href={runHref(run.parent)} className={linkClass}>
        part of another run
      </Link>,
    ])
  }
  if (run.retryOf) {
    const href = runHref({ workflowId: run.workflowId, runId: run.retryOf })
    facts.push([
      'retry',
      <Link key="retry" href={href} className={linkClass}>
        retries an earlier run
      </Link>,
    ])
  }
  for (const [index, retry] of retries.slice(-1).entries()) {
    facts.push([
      `retried ${index}`,
      <Link key="retried" href={runHref(retry)} className={linkClass}>
        retried{retries.length > 1 ? ` ${retries.length} times` : ''}, last{' '}
        {retry.status.replaceAll('_', ' ')}
      </Link>,
    ])
  }
  const [child, ...others] = children
  if (child) {
    const href =
      others.length === 0
        ? runHref({ workflowId: child.workflowId, runId: child.id })
        : tabHref('details', undefined)
    facts.push([
      'children',
      <Link key="children" href={href} className={linkClass}>
        started {others.length === 0 ? runTitle(child) : formatCount(children.length, 'run')}
      </Link>,
    ])
  }
  facts.push(['id', <Identifier key="id" value={run.id} keep={6} label="Copy run id" />])
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-text-2">
      <StepTicks steps={steps} />
      {facts.map(([key, fact], index) => (
        <Fragment key={key}>
          {index === 0 ? null : <span aria-hidden>·</span>}
          <span className="inline-flex min-h-6 items-center gap-1">{fact}</span>
        </Fragment>
      ))}
    </div>
  )
}

/** Of more steps the ticks stand across the page, below the tabs. */
const mostTicks = 20

const tickLooks: Partial<Record<StepRun['status'], string>> = {
  succeeded: 'h-3 bg-control',
  failed: 'h-3 bg-danger',
  timed_out: 'h-3 bg-danger',
  uncertain: 'h-3 bg-warn',
  running: 'h-3 bg-info',
  waiting: 'h-3 border border-info bg-info-soft',
  retry_wait: 'h-3 border border-warn bg-warn-soft',
  skipped: 'h-0.5 bg-control',
  cancelled: 'h-0.5 bg-control',
}

/** One tick a step, in the order of the steps; the words beside say the same. */
function StepTicks({ steps }: { steps: readonly StepRun[] }) {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  if (own.length < 2 || own.length > mostTicks) return null
  return (
    <span aria-hidden data-live-color="" className="mr-1 flex h-3 items-end gap-0.5">
      {own.map(({ key, status }) => (
        <span
          key={key}
          className={cx('w-1.5 rounded-[1.5px]', tickLooks[status] ?? 'h-3 border border-line-strong')}
        />
      ))}
    </span>
  )
}
