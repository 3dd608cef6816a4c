/**
 * Walks the legal moves of something with a status and answers where they end. `kind` names it in the error; throws
 * IllegalMove at the first move that the table does not hold.
 */
export function walkMoves<S extends string>(
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
