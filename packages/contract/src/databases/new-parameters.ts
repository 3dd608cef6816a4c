import { parameterKinds } from './parameter-kinds.generated.ts'
import { type ParameterKind, parameterProblem, parameterRefusal, shownParameterValue } from './parameters.ts'
import type { DatabasePlan } from './rules.ts'

/** A parameter that may be set in a new database of Bey's, as PostgreSQL describes it. */
export type NewParameterKind = ParameterKind & {
  /** As PostgreSQL shows it, with its unit. */
  default: string
  /** What it means, in PostgreSQL's words. */
  about: string
}

/** Parameters that may be set in a new database of Bey's, by name, of the version of PostgreSQL that Bey brings. */
export const newParameterKinds: readonly NewParameterKind[] = parameterKinds.map(
  ([name, type, unit, min, max, context, value, values, about]) => ({
    name,
    type,
    unit,
    min,
    max,
    context,
    values,
    about,
    default: shownParameterValue(value, unit),
  }),
)

/** The parameter of this name, in any case of letters. */
export const newParameterKind = (name: string): NewParameterKind | undefined =>
  newParameterKinds.find((kind) => kind.name.toLowerCase() === name.trim().toLowerCase())

/** What is wrong with a parameter of a new database of Bey's, as a sentence; undefined where it is taken. */
export function newParameterProblem(name: string, value: string): string | undefined {
  const kind = newParameterKind(name)
  if (kind !== undefined) return parameterProblem(kind, value)
  const refusal = parameterRefusal({ name: name.trim().toLowerCase(), context: 'postmaster' }, 'embedded')
  return refusal === undefined || /endanger/.test(refusal)
    ? `"${name.trim()}" is no parameter of PostgreSQL that is set here.`
    : `${name.trim()}: ${refusal}`
}

/** A parameter that follows from the size of a database of Bey's. */
export type SizeParameter = { name: string; value: string; why: string; needsRestart: boolean }

const mebibyte = 1024 ** 2
const mib = (bytes: number) => `${Math.max(1, Math.floor(bytes / mebibyte))}MB`

/** What follows from the size of a database of Bey's, and why. */
export function sizeParameters({
  memoryBytes,
  sharedBuffersBytes,
  maxConnections,
}: Pick<DatabasePlan, 'memoryBytes' | 'sharedBuffersBytes' | 'maxConnections'>): SizeParameter[] {
  // Divided so that half of the connections may sort at the same time.
  const workBytes = Math.max(2 * mebibyte, (memoryBytes - sharedBuffersBytes) / maxConnections)
  const given: readonly (readonly [string, string, string])[] = [
    ['shared_buffers', mib(sharedBuffersBytes), 'a quarter of its memory'],
    ['max_connections', String(maxConnections), 'by its size'],
    ['work_mem', mib(workBytes), 'memory beside shared_buffers ÷ connections'],
    ['maintenance_work_mem', mib(Math.max(16 * mebibyte, memoryBytes / 8)), 'an eighth of its memory'],
    ['effective_cache_size', mib((memoryBytes * 3) / 4), 'three quarters of its memory'],
  ]
  return given.map(([name, value, why]) => ({
    name,
    value,
    why,
    needsRestart: (newParameterKind(name)?.context ?? 'postmaster') === 'postmaster',
  }))
}
