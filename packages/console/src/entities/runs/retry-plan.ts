import type { StepRun } from '@bey/contract'
import { ancestorsOf } from '@bey/contract'
import type { RunDetail } from '../../data/workflows.ts'
import { formatCount } from '../../lib/format.ts'

/** The key of the step that undoes another ends with it. */
const undoMark = '!undo'

/** A way to retry a run: what it keeps or repeats in a sentence, or why it is not to be had. */
export interface RetryWay {
  hint: string
  disabledReason?: string
}

/** The ways to retry a run that is over. `selected` is the key of the step that was chosen on its page. */
export function retryWays(
  { steps }: Pick<RunDetail, 'steps'>,
  selected: string | undefined,
): { fromFailed: RetryWay; fromStep: RetryWay & { step: StepRun | undefined }; fromStart: RetryWay } {
  const own = steps.filter(({ key, parentKey }) => parentKey === null && !key.endsWith(undoMark))
  const undone = own.filter(({ key }) => steps.some((each) => each.key === `${key}${undoMark}`))
  const kept = own.filter((step) => step.status === 'succeeded' && !undone.includes(step))
  const open = own.find(({ status }) => status !== 'succeeded' && status !== 'skipped')
  const step = own.find(({ key }) => key === selected || `${key}${undoMark}` === selected)
  return {
    fromFailed:
      open || undone.length > 0
        ? { hint: [undoneText(undone), keepsText(kept.length)].filter(Boolean).join(' ') }
        : { hint: '', disabledReason: 'Every step succeeded.' },
    fromStep: {
      step,
      ...(step
        ? { hint: stepText(own, step) }
        : { hint: '', disabledReason: 'Choose a step on the page first.' }),
    },
    fromStart: { hint: startText(own) },
  }
}

function undoneText(undone: readonly StepRun[]): string {
  const [first, ...others] = undone
  if (!first) return ''
  const names = others.length === 0 ? first.name : formatCount(undone.length, 'step')
  return `Repeats ${names} first, which ${others.length === 0 ? 'was' : 'were'} undone.`
}

const keepsText = (count: number) =>
  count === 0 ? 'No step succeeded: it begins anew.' : `Keeps ${formatCount(count, 'finished step')}.`

/** Everything that does not come before the step is repeated. */
function stepText(own: readonly StepRun[], step: StepRun): string {
  const before = ancestorsOf(
    own.map(({ key, needs }) => ({ key, needs })),
    step.key,
  )
  return `Keeps ${formatCount(before.size, 'step')} before ${step.name}, repeats the other ${own.length - before.size}.`
}

function startText(own: readonly StepRun[]): string {
  const asks = own.some(({ type }) => type === 'approval') ? '; asks for approval again' : ''
  return `Runs ${own.length === 1 ? 'its step' : `all ${formatCount(own.length, 'step')}`}${asks}.`
}
