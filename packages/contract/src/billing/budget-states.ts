/**
 * How a budget stands: `ok` and `warning` are below its amount, `exceeded` is at or above it. A budget that pauses new runs
 * goes on to `grace` and, 24 hours later, to `enforced`.
 */
export const budgetStates = ['ok', 'warning', 'exceeded', 'grace', 'enforced'] as const
export type BudgetState = (typeof budgetStates)[number]

/** What follows when a budget is exceeded. */
export const budgetActions = ['notify', 'pause_new_runs'] as const
export type BudgetAction = (typeof budgetActions)[number]

/** Percent of the amount at which people are notified; from the second on the state says so. */
export const budgetThresholds = [50, 80, 100] as const
export type BudgetThreshold = (typeof budgetThresholds)[number]

export const budgetGraceMs = 24 * 3_600_000

/** The legal moves. Back to `ok`: a new month, a larger amount, a correction, or an owner who lifts the pause. */
export const budgetMoves: Readonly<Record<BudgetState, readonly BudgetState[]>> = {
  ok: ['warning'],
  warning: ['ok', 'exceeded'],
  exceeded: ['ok', 'grace'],
  grace: ['ok', 'enforced'],
  enforced: ['ok'],
}

/** How a budget stands, as it is kept. */
export type BudgetStanding = {
  state: BudgetState
  /** Since when it is in this state. */
  sinceMs: number
  /** The month, `2026-11`, that `reached` and `liftedMonth` are compared with. */
  month: string
  /** The highest threshold that people were notified of in this month; 0 before the first. */
  reached: 0 | BudgetThreshold
  /** The month for which an owner has lifted the pause. */
  liftedMonth: string | null
}

export type BudgetFacts = {
  action: BudgetAction
  month: string
  /** Of the amount, as a share: 1 is the whole. */
  share: number
  nowMs: number
}

/**
 * How a budget stands after a look at the spend, every state that it went through, and the thresholds that it reached now
 * and that nobody was notified of in this month.
 */
export function judgeBudget(
  before: BudgetStanding,
  { action, month, share, nowMs }: BudgetFacts,
): { after: BudgetStanding; path: BudgetState[]; reached: BudgetThreshold[] } {
  const known = before.month === month ? before.reached : 0
  const reached = budgetThresholds.filter((percent) => share * 100 >= percent && percent > known)
  const target = targetOf(before, { action, month, share, nowMs })
  const path = pathTo(before.state, target)
  return {
    after: {
      state: target,
      sinceMs: path.length === 0 ? before.sinceMs : nowMs,
      month,
      reached: reached.at(-1) ?? known,
      liftedMonth: before.liftedMonth === month ? month : null,
    },
    path,
    reached,
  }
}

function targetOf(before: BudgetStanding, { action, month, share, nowMs }: BudgetFacts): BudgetState {
  if (share * 100 < 80) return 'ok'
  if (share < 1) return 'warning'
  if (action === 'notify' || before.liftedMonth === month) return 'exceeded'
  if (before.month !== month) return 'grace'
  if (before.state === 'enforced') return 'enforced'
  return before.state === 'grace' && nowMs - before.sinceMs >= budgetGraceMs ? 'enforced' : 'grace'
}

/** The shortest way by legal moves, without its beginning; empty where nothing moves. */
export function pathTo(from: BudgetState, to: BudgetState): BudgetState[] {
  const paths: BudgetState[][] = [[from]]
  for (const path of paths) {
    const last = path.at(-1) ?? from
    if (last === to) return path.slice(1)
    for (const next of budgetMoves[last]) if (!path.includes(next)) paths.push([...path, next])
  }
  return []
}
