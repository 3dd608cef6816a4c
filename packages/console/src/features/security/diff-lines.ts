import type { DiffLine } from '../../ui/diff-lines.tsx'

/** What an entry says that changed, as lines of JSON: a pair of values is the old one and the new one. */
export function auditDiffLines(diff: Readonly<Record<string, unknown>>): DiffLine[] {
  return Object.entries(diff)
    .filter(([key]) => key !== 'impersonatedBy')
    .flatMap(([key, value]) => {
      const change = changeOf(value)
      if (change === undefined) return lines('same', key, value)
      return [
        ...(change.before == null ? [] : lines('removed', key, change.before)),
        ...(change.after == null ? [] : lines('added', key, change.after)),
      ]
    })
}

function lines(kind: DiffLine['kind'], key: string, value: unknown): DiffLine[] {
  const text = JSON.stringify(value, undefined, 2) ?? 'null'
  return `"${key}": ${text}`.split('\n').map((line) => ({ kind, text: line }))
}

/** `[old, new]` or `{ from, to }`. */
function changeOf(value: unknown): { before: unknown; after: unknown } | undefined {
  if (Array.isArray(value)) {
    const isPair = value.length === 2 && value.some((each) => each === null || typeof each !== 'object')
    return isPair && value[0] !== value[1] ? { before: value[0], after: value[1] } : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  if (keys.length !== 2 || !('from' in value) || !('to' in value)) return undefined
  return { before: value.from, after: value.to }
}
