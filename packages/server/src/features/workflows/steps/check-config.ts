import type { z } from 'zod'

import { isTemplated } from '../definition/expressions/template.ts'
import { configFieldsOf } from './config-fields.ts'
import type { StepType } from './step-type.ts'

/** Where a config is wrong, as a path within it: `headers.accept`, `objects[0].kind`; empty for the whole. */
export type ConfigProblem = { path: string; message: string }

/**
 * What is wrong with a config as far as it is known before its templates are resolved: a text with a template fits
 * every field that is not literal.
 */
export function checkConfigShape(type: StepType, config: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const parsed = type.config.safeParse(config)
  if (parsed.success) return []
  const { literal } = configFieldsOf(type)
  return parsed.error.issues
    .filter(({ path }) => literal.has(String(path[0])) || !mayBecomeRight(config, path))
    .map(({ path, message }) => ({ path: pathText(path), message }))
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )
}

/** Whether a template stands at the place of an issue, above it or below it. */
function mayBecomeRight(config: unknown, path: z.core.$ZodIssue['path']): boolean {
  let at = config
  for (const part of path) {
    if (typeof at !== 'object' || at === null) break
    at = (at as Record<PropertyKey, unknown>)[part]
  }
  // The issue is about the shape of the whole: what its templates become does not change it.
  return path.length > 0 && containsTemplate(at)
}

function containsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return isTemplated(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(containsTemplate)
}
