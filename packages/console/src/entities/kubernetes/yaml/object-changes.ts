import type { FieldPath } from './field-owners.ts'
import { desiredFields, hiddenValue } from './object-text.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** A field that differs between two versions of an object; undefined where one version does not have it. */
export interface FieldChange {
  /** In the newer version, or in the older one where the newer does not have the field. */
  path: FieldPath
  /** For people: items of lists by their name. `spec.template.spec.containers[web].image`. */
  label: string
  before: unknown
  after: unknown
}

/** The fields in which two versions differ, without the status and the bookkeeping of the server. */
export function changesBetween(before: Free, after: Free): FieldChange[] {
  return differences(desiredFields(before), desiredFields(after), [], '')
}

function differences(before: unknown, after: unknown, path: FieldPath, label: string): FieldChange[] {
  if (isFree(before) && isFree(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(before[key], after[key], [...path, key], label === '' ? key : `${label}.${key}`),
    )
  }
  if (isNamedList(before) && isNamedList(after)) {
    const names = [...new Set([...before, ...after].map(({ name }) => name))]
    return names.flatMap((name) => {
      const newer = after.findIndex((item) => item.name === name)
      const older = before.findIndex((item) => item.name === name)
      const index = newer === -1 ? older : newer
      return differences(before[older], after[newer], [...path, index], `${label}[${name}]`)
    })
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, label, before, after }]
}

/** A list whose items are distinguished by their names: containers, environment variables, volumes, ports. */
function isNamedList(value: unknown): value is (Free & { name: string })[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isFree(item) && typeof item['name'] === 'string') &&
    new Set(value.map((item: Free) => item['name'])).size === value.length
  )
}

/**
 * What turns one version into the other, as a JSON merge patch (RFC 7396): only what differs, null for what is gone,
 * lists as a whole. Values of a Secret that were never shown are not sent. Undefined where nothing differs.
 */
export function mergePatch(before: Free, after: Free): Free | undefined {
  return patchOf(desiredFields(before), desiredFields(after))
}

function patchOf(before: Free, after: Free): Free | undefined {
  const patch: Free = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [before[key], after[key]]
    if (next === hiddenValue || JSON.stringify(old) === JSON.stringify(next)) continue
    if (next === undefined || next === null) patch[key] = null
    else if (isFree(old) && isFree(next)) {
      const inner = patchOf(old, next)
      if (inner) patch[key] = inner
    } else patch[key] = next
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}

/** "2 → 4", "+ value", "− value"; long values are cut. */
export function changeText({ before, after }: FieldChange): string {
  if (before === undefined) return `+ ${valueText(after)}`
  if (after === undefined) return `− ${valueText(before)}`
  return `${valueText(before)} → ${valueText(after)}`
}

export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** The last two steps of a label: what people call the field. `containers[web].image` → `[web].image` is kept whole. */
export function shortLabel(label: string): string {
  const parts = label.split(/\.(?![^[]*\])/)
  const last = parts.at(-1) ?? label
  const owner = /\[([^\]]*)\]$/.exec(parts.at(-2) ?? '')?.[1]
  return owner === undefined ? last : `${owner}.${last}`
}
