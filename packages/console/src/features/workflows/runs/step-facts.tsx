import type { StepGuaranteeName, StepRun } from '@bey/contract'
import { guaranteeTexts } from '@bey/contract'
import { Repeat } from 'lucide-react'
import type { ReactNode } from 'react'
import { isStepOver } from '../../../entities/runs/expected-times.ts'
import { skipReason } from '../../../entities/runs/skip-reason.ts'
import type { StepDetail } from '../../../data/run-steps.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { formatDuration, formatElapsed, formatNumber } from '../../../lib/format.ts'
import { runHref } from '../../../lib/run-text.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import { shortId } from './recovery-line.tsx'
import { SettleStep } from './settle-step.tsx'

/** Steps that end before their time when somebody decides or something happens. */
const timedTypes: ReadonlySet<string> = new Set(['approval', 'wait_event'])

export interface StepFactsProps {
  detail: RunDetail
  step: StepRun
  /** Undefined while they are read. */
  attempts: StepDetail['attempts'] | undefined
  now: number
}

/** What there is to know of a step at a glance: status, error, times, guarantee. */
export function StepFacts({ detail, step, attempts, now }: StepFactsProps) {
  const own = detail.steps.filter(({ parentKey }) => parentKey === null)
  const place = own.findIndex(({ key }) => key === (step.parentKey ?? step.key)) + 1
  return (
    <div className="flex min-w-0 flex-col gap-3 px-(--gutter) py-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lead font-semibold break-words">{step.name}</h2>
          <p className="text-small text-text-2">
            {step.type} · step {formatNumber(place)} of {formatNumber(own.length)}
            {step.parentKey ? `, iteration ${step.key}` : ''}
          </p>
        </div>
        <Status of="run" status={step.status} variant="badge" />
      </div>
      {step.error ? (
        <div data-live-color="" className="rounded-control bg-danger-soft px-3 py-2.5 break-words">
          <span className="font-medium">{step.error.message}</span>
        </div>
      ) : null}
      {step.status === 'running' && step.progressPercent > 0 ? (
        <div className="flex flex-col gap-1">
          <span className="text-right text-small tabular-nums">{Math.round(step.progressPercent)} %</span>
          <div
            // The native element cannot be styled alike in all browsers.
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="progressbar"
            aria-label="Progress"
            aria-valuenow={Math.round(step.progressPercent)}
            className="h-1 overflow-hidden rounded-full bg-active"
          >
            <div className="h-full rounded-full bg-info" style={{ width: `${step.progressPercent}%` }} />
          </div>
        </div>
      ) : null}
      {step.status === 'uncertain' ? <SettleStep key={step.key} run={detail.run} step={step} /> : null}
      <Facts facts={factsOf(detail, step, attempts, now)} />
      <Guarantee name={step.guarantee} />
    </div>
  )
}

function factsOf(
  { usual, children, steps }: RunDetail,
  step: StepRun,
  attempts: StepDetail['attempts'] | undefined,
  now: number,
): { label: string; value: ReactNode }[] {
  const isOpen = step.startedAt !== null && step.finishedAt === null
  const times = usual[step.key]
  const process = attempts?.at(-1)?.executorId
  const child = children.find(({ parent }) => parent?.stepKey === step.key)
  const needs = step.needs.map((key) => steps.find((each) => each.key === key)?.name ?? key)
  const figure = (text: string) => <span className="tabular-nums">{text}</span>
  const facts: { label: string; value: ReactNode }[] = []
  if (step.startedAt) {
    const took = formatElapsed(step.startedAt, step.finishedAt, now)
    facts.push({ label: isOpen ? 'For' : 'Took', value: figure(took) })
  } else facts.push({ label: 'Began', value: isStepOver(step) ? 'never' : 'not yet' })
  if (times) facts.push({ label: 'Usual', value: figure(formatDuration(times.medianMs)) })
  // That a wait is until a time stands below, in the reader's own time zone.
  if (step.note && step.type !== 'wait')
    facts.push(
      step.status === 'skipped'
        ? { label: 'Skipped because', value: skipReason(step) ?? step.note }
        : { label: 'Note', value: step.note },
    )
  if (step.nextAt && isOpen) {
    const label = timedTypes.has(step.type) ? 'Time limit' : 'Goes on'
    facts.push({ label, value: <RelativeTime at={step.nextAt} /> })
  }
  if (step.attempt > 0) facts.push({ label: 'Attempt', value: figure(String(step.attempt)) })
  if (needs.length > 0) facts.push({ label: 'After', value: needs.join(', ') })
  if (process) {
    facts.push({ label: 'Process', value: <code className="font-mono text-small">{shortId(process)}</code> })
  }
  if (child) {
    const href = runHref({ workflowId: child.workflowId, runId: child.id })
    facts.push({
      label: 'Started',
      value: (
        <Link href={href} className="underline hover:text-accent-text">
          {child.workflowName}
        </Link>
      ),
    })
  }
  return facts
}

/** What a crash can do to the step: a word and a sentence. */
function Guarantee({ name }: { name: StepGuaranteeName }) {
  const { word, sentence } = guaranteeTexts[name]
  return (
    <p className="flex gap-2.5 text-small text-text-2">
      <Repeat size={14} aria-hidden className="mt-px shrink-0 text-text-3" />
      <span>
        <span className="font-medium text-text">{word}.</span> {sentence}
      </span>
    </p>
  )
}
