/**
 * Checks a path of status changes against the table of legal moves and returns the last status. Throws IllegalMove at
 * the first move that the table does not list; `kind` is used in its message.
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

/** A bug: the caller did not check the status before changing it. */
export class IllegalMove extends Error {
  constructor(kind: string, from: string, to: string) {
    super(`A ${kind} cannot go from ${from} to ${to}`)
    this.name = 'IllegalMove'
  }
}
