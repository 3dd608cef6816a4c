import { runMoves, type RunStatus, stepMoves, type StepStatus } from '@bey/contract'

/** Walks the legal moves of a run and answers where they end; throws at the first that the table does not hold. */
export function moveRun(from: RunStatus, ...path: [RunStatus, ...RunStatus[]]): RunStatus {
  return walk('run', runMoves, from, path)
}

/** The same for a step. */
export function moveStep(from: StepStatus, ...path: [StepStatus, ...StepStatus[]]): StepStatus {
  return walk('step', stepMoves, from, path)
}

function walk<S extends string>(
  kind: string,
  moves: Record<S, readonly S[]>,
  from: S,
  path: readonly S[],
): S {
  let at = from
  for (const to of path) {
    if (!moves[at].includes(to)) throw new IllegalMove(kind, at, to)
    at = to
  }
  return at
}

/** A bug: the caller did not look before it moved. */
export class IllegalMove extends Error {
  constructor(kind: string, from: string, to: string) {
    super(`A ${kind} cannot go from ${from} to ${to}`)
    this.name = 'IllegalMove'
  }
}
