/** Beyond this many values of one sort all are forgotten: those that are still used are soon known again. */
const maxKnown = 20_000

/**
 * One copy of equal values for all who keep them. The parser makes a new text for every namespace, node and reason of
 * every object, and a cache of 10,000 pods keeps each for as long as the pod is there.
 */
export function createSharedValues<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= maxKnown) known.clear()
    const value = make(key)
    known.set(key, value)
    return value
  }
}

/** The one copy of a text that many objects are expected to have. */
export const sharedText = createSharedValues((text: string) => text)
