export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Lets works begin one after another, each when the one before it has ended. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}
