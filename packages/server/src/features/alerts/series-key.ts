/** An object with flat values as text, whatever the order of its keys. */
export const keyOf = (labels: object): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
