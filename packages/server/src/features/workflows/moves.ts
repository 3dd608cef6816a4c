import { runMoves, type RunStatus, stepMoves, type StepStatus } from '@bey/contract'

import { walkMoves } from '../../platform/moves.ts'

/** The last status of a path of legal run moves. Throws IllegalMove at the first illegal one. */
export function moveRun(from: RunStatus, ...path: [RunStatus, ...RunStatus[]]): RunStatus {
  return walkMoves('run', runMoves, from, path)
}

/** The last status of a path of legal step moves. Throws IllegalMove at the first illegal one. */
export function moveStep(from: StepStatus, ...path: [StepStatus, ...StepStatus[]]): StepStatus {
  return walkMoves('step', stepMoves, from, path)
}
