import type { StepRun } from '@bey/contract'
import type { RunDetail } from '../../../data/workflows.ts'
import { formatCount } from '../../../lib/format.ts'

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
  const keys = new Set(steps.map(({ key }) => key))
  const undone = own.filter(({ key }) => keys.has(`${key}${undoMark}`))
  const isOpen = own.some(({ status }) => status !== 'succeeded' && status !== 'skipped')
  const step = own.find(({ key }) => key === selected || `${key}${undoMark}` === selected)
  return {
    fromFailed:
      isOpen || undone.length > 0
        ? { hint: [undoneText(undone), keepsText(own, keptOf(own, undone))].filter(Boolean).join(' ') }
        : { hint: '', disabledReason: 'Every step succeeded.' },
    fromStep: {
      step,
      ...(step
        ? { hint: keepsText(own, keptOf(own, [...undone, step])) }
        : { hint: '', disabledReason: 'Choose a step on the page first.' }),
    },
    fromStart: { hint: startText(own) },
  }
}

/** How many steps a retry takes over: those that were done and depend on nothing that is repeated. */
function keptOf(own: readonly StepRun[], repeated: readonly StepRun[]): number {
  const isRepeated = new Set(repeated)
  const kept = new Set(
    own
      .filter((step) => (step.status === 'succeeded' || step.status === 'skipped') && !isRepeated.has(step))
      .map(({ key }) => key),
  )
  // Steps stand behind those that they need, save in definitions of an odd order.
  for (let size = -1; size !== kept.size;) {
    size = kept.size
    for (const { key, needs } of own) if (needs.some((need) => !kept.has(need))) kept.delete(key)
  }
  return own.filter(({ key, status }) => status === 'succeeded' && kept.has(key)).length
}

function undoneText(undone: readonly StepRun[]): string {
  const [first, ...others] = undone
  if (!first) return ''
  const names = others.length === 0 ? first.name : formatCount(undone.length, 'step')
  return `Repeats ${names} first, which ${others.length === 0 ? 'was' : 'were'} undone.`
}

function keepsText(own: readonly StepRun[], kept: number): string {
  if (kept === 0)
    return `Repeats ${own.length === 1 ? 'its step' : `all ${formatCount(own.length, 'step')}`}.`
  return `Keeps ${formatCount(kept, 'finished step')}, repeats the other ${own.length - kept}.`
}

function startText(own: readonly StepRun[]): string {
  const asks = own.some(({ type }) => type === 'approval') ? '; asks for approval again' : ''
  return `Runs ${own.length === 1 ? 'its step' : `all ${formatCount(own.length, 'step')}`}${asks}.`
}
