import type { StepRun } from '@bey/contract'

/** Steps that need nobody any more and stand side by side: one row until it is opened. */
export interface StepFold {
  /** Key of its first step; it stays the same while more steps get done. */
  id: string
  steps: readonly StepRun[]
  isOpen: boolean
}

export type FoldedRow = { step: StepRun; fold?: undefined } | { fold: StepFold; step?: undefined }

/** A run with fewer steps is shown whole. */
const longRun = 20
/** Fewer are not worth a row of their own. */
const leastFold = 4

const done: ReadonlySet<StepRun['status']> = new Set(['succeeded', 'skipped', 'cancelled'])

/**
 * The steps of a long run, what is done folded between what fails, runs, waits or is to come. `opened` are the ids of
 * folds whose steps are listed below them; a selected step is never inside a closed fold. A run in which all is done has
 * nothing to fold around.
 */
export function foldDone(
  steps: readonly StepRun[],
  selected: string | undefined,
  opened: ReadonlySet<string>,
): FoldedRow[] {
  if (steps.length <= longRun || steps.every(({ status }) => done.has(status)))
    return steps.map((step) => ({ step }))
  const rows: FoldedRow[] = []
  let run: StepRun[] = []
  const close = () => {
    const [first] = run
    if (first === undefined) return
    const id = first.key
    const isOpen = opened.has(id)
    if (run.length < leastFold) rows.push(...run.map((step) => ({ step })))
    else rows.push({ fold: { id, steps: run, isOpen } }, ...(isOpen ? run.map((step) => ({ step })) : []))
    run = []
  }
  for (const step of steps) {
    const isFolded = done.has(step.status) && step.key !== selected
    if (isFolded) run.push(step)
    else {
      close()
      rows.push({ step })
    }
  }
  close()
  return rows
}

/** "22 steps done", "7 steps done, 15 skipped". Iterations do not count by themselves. */
export function foldText({ steps }: StepFold): string {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  const counted = own.length > 0 ? own : steps
  const count = (status: StepRun['status']) => counted.filter((step) => step.status === status).length
  const noun = own.length > 0 ? 'step' : 'iteration'
  const parts = [
    { count: count('succeeded'), word: 'done' },
    { count: count('skipped'), word: 'skipped' },
    { count: count('cancelled'), word: 'cancelled' },
  ].filter((part) => part.count > 0)
  return parts
    .map((part, index) =>
      index === 0
        ? `${part.count} ${noun}${part.count === 1 ? '' : 's'} ${part.word}`
        : `${part.count} ${part.word}`,
    )
    .join(', ')
}

/** When the first of its steps began and the last ended, in milliseconds since 1970; undefined where none began. */
export function foldSpan({ steps }: StepFold): { from: number; to: number } | undefined {
  const begun = steps.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []))
  const ended = steps.flatMap(({ finishedAt, startedAt }) =>
    finishedAt && startedAt ? [Date.parse(finishedAt)] : [],
  )
  if (begun.length === 0 || ended.length === 0) return undefined
  return { from: Math.min(...begun), to: Math.max(...ended) }
}
