/** What was put in comes out in its order, one by one; anyone who takes from an empty one waits. */
export function createInbox<T>() {
  const values: T[] = []
  let taker: ((value: T) => void) | undefined
  return {
    put(value: T): void {
      const take = taker
      taker = undefined
      if (take === undefined) values.push(value)
      else take(value)
    },
    take(): Promise<T> {
      const [first] = values.splice(0, 1)
      if (first !== undefined) return Promise.resolve(first)
      return new Promise((resolve) => {
        taker = resolve
      })
    },
  }
}
