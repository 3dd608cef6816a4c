/** Kept by the API server itself: they differ without a change. */
const ignored: ReadonlySet<string> = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'status',
])

/** Paths of the fields in which two states of an object differ, e.g. `spec.replicas`. */
export function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (ignored.has(path) || before === after) return []
  if (!isContainer(before) || !isContainer(after)) return [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    changedFields(member(before, name), member(after, name), path === '' ? name : `${path}.${name}`),
  )
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function member(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name]
}
