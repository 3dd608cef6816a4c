import { runMoves, type RunStatus, stepMoves, type StepStatus } from '@bey/contract'

import { walkMoves } from '../../platform/moves.ts'

/** Walks the legal moves of a run and answers where they end; throws at the first that the table does not hold. */
export function moveRun(from: RunStatus, ...path: [RunStatus, ...RunStatus[]]): RunStatus {
  return walkMoves('run', runMoves, from, path)
}

/** The same for a step. */
export function moveStep(from: StepStatus, ...path: [StepStatus, ...StepStatus[]]): StepStatus {
  return walkMoves('step', stepMoves, from, path)
}
