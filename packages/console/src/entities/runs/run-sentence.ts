import type { Run, StepRun } from '@bey/contract'
import type { RunDetail } from '../../data/workflows.ts'
import { formatCount, formatDuration, formatNumber } from '../../lib/format.ts'
import { isStepOver, timeLeft } from './expected-times.ts'

/** What a run does or did, in words: first what matters, then what helps to judge it. */
export interface RunSentence {
  text: string
  detail: string
}

/** The first line of a run's page. `now` in milliseconds since 1970. */
export function runSentence(detail: RunDetail, now: number): RunSentence {
  const { run, steps } = detail
  const took = run.startedAt ? elapsed(run.startedAt, run.finishedAt, now) : ''
  switch (run.status) {
    case 'queued':
      return {
        text: `Queued for ${elapsed(run.queuedAt, null, now)}.`,
        detail: 'It begins as soon as there is room.',
      }
    case 'scheduled':
      return { text: 'Scheduled.', detail: run.waiting?.text ?? '' }
    case 'running':
      return { text: runningText(steps), detail: leftText(detail, now) }
    case 'waiting':
      return { text: waitingText(run, steps, now), detail: leftText(detail, now) }
    case 'paused':
      return {
        text: 'Paused: no further step begins until it is resumed.',
        detail: named(
          steps.filter(({ status }) => status === 'running'),
          'still running',
        ),
      }
    case 'cancelling': {
      const since = run.cancelRequestedAt ? ` for ${elapsed(run.cancelRequestedAt, null, now)}` : ''
      const open = steps.filter(({ status }) => status === 'running' || status === 'uncertain')
      return { text: `Cancelling${since}.`, detail: open.length > 0 ? `Waits for ${list(open)}.` : '' }
    }
    case 'needs_attention': {
      const open = steps.filter(({ status }) => status === 'uncertain')
      const what = open.length > 0 ? `whether ${list(open)} happened` : 'how to go on'
      return { text: `Waiting for you: it is not known ${what}.`, detail: run.waiting?.text ?? '' }
    }
    case 'completed':
      return { text: `Completed in ${took}.`, detail: comparedText(detail) }
    case 'failed':
    case 'timed_out':
      return { text: failedText(run, steps), detail: took ? `Took ${took}.` : '' }
    case 'cancelled':
      return { text: 'Cancelled.', detail: took ? `It ran for ${took}.` : 'It had not begun.' }
    case 'expired':
      return { text: 'Expired: it did not begin in time.', detail: '' }
  }
}

/** "2 of 9 steps done". Iterations do not count by themselves. */
export function doneText(steps: readonly StepRun[]): string {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  const done = own.filter(({ status }) => status === 'succeeded').length
  return `${formatNumber(done)} of ${formatCount(own.length, 'step')} done`
}

function runningText(steps: readonly StepRun[]): string {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  const open = own.filter(
    ({ status }) => status === 'running' || status === 'waiting' || status === 'retry_wait',
  )
  const [first, ...others] = open
  if (!first) return 'Running.'
  const place = `Step ${formatNumber(own.indexOf(first) + 1)} of ${formatNumber(own.length)}`
  const percent =
    first.progressPercent > 0 && first.progressPercent < 100 ? `, ${Math.round(first.progressPercent)} %` : ''
  if (others.length === 0) return `${place}, ${first.name}${percent}.`
  return `${list(open)} are under way.`
}

function waitingText(run: Run, steps: readonly StepRun[], now: number): string {
  const waiting = steps.filter(({ status }) => status === 'waiting')
  // A person who reads this may be the one it waits for.
  const step = waiting.find(({ type }) => type === 'approval') ?? waiting[0]
  const text = step ? whatFor(step) : (run.waiting?.text ?? 'Waits')
  const since = step?.startedAt ? ` for ${elapsed(step.startedAt, null, now)}` : ''
  return `${text.replace(/\.$/, '')}${since}.`
}

function whatFor({ type, name }: StepRun): string {
  if (type === 'approval') return `Waiting for approval at ${name}`
  if (type === 'wait_event') return `Waiting for an event at ${name}`
  return `Waiting at ${name}`
}

function failedText({ error, status }: Run, steps: readonly StepRun[]): string {
  const step = steps.find(({ key }) => key === error?.stepKey)
  const verb = status === 'timed_out' ? 'timed out' : 'failed'
  const what = step ? `${step.name} ${verb}` : status === 'timed_out' ? 'Timed out' : 'Failed'
  const message = error?.message.replace(/\.$/, '')
  return message ? `${what}: ${message}.` : `${what}.`
}

function leftText(detail: RunDetail, now: number): string {
  const left = timeLeft(detail, now)
  const isHeld = detail.steps.some(({ status, type }) => status === 'waiting' && type === 'approval')
  switch (left.kind) {
    case 'unknown':
      return 'An estimate appears after five completed runs.'
    case 'left':
      return `About ${formatDuration(left.leftMs)} left${isHeld ? ' once it is approved' : ''}.`
    case 'overdue':
      return left.overMs > 0
        ? `Overdue: ${formatDuration(left.overMs)} longer than usual.`
        : 'It should end any moment.'
  }
}

/** How the duration compares with the usual one, where it differs by more than a fifth and a second. */
function comparedText({ run, estimate }: RunDetail): string {
  if (!estimate || !run.startedAt || !run.finishedAt) return ''
  const difference = Date.parse(run.finishedAt) - Date.parse(run.startedAt) - estimate.totalMs
  if (Math.abs(difference) < Math.max(1_000, estimate.totalMs / 5)) return 'As long as usual.'
  return `${formatDuration(Math.abs(difference))} ${difference > 0 ? 'longer' : 'shorter'} than usual.`
}

const elapsed = (from: string, to: string | null, now: number) =>
  formatDuration(Math.max(0, (to ? Date.parse(to) : now) - Date.parse(from)))

function named(steps: readonly StepRun[], what: string): string {
  return steps.length === 0 ? '' : `${list(steps)} ${steps.length === 1 ? 'is' : 'are'} ${what}.`
}

/** "A", "A and B", "A and 3 more steps". */
function list(steps: readonly StepRun[]): string {
  const [first, second, ...others] = steps
  if (!first || !second) return first?.name ?? ''
  return others.length === 0
    ? `${first.name} and ${second.name}`
    : `${first.name} and ${others.length + 1} more steps`
}

/** The step to look at first: uncertain, then failed, then under way, then the last that ended. */
export function stepToShow(steps: readonly StepRun[]): StepRun | undefined {
  const first = (statuses: readonly StepRun['status'][]) =>
    steps.find(({ status }) => statuses.includes(status))
  return (
    first(['uncertain']) ??
    first(['failed', 'timed_out']) ??
    first(['waiting', 'running', 'retry_wait']) ??
    steps.findLast((step) => isStepOver(step) && step.status !== 'skipped') ??
    steps[0]
  )
}
