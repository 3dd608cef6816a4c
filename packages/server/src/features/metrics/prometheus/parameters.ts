import { metricQueryBounds } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { parsePromql } from '../../../platform/metrics/promql/parse.ts'
import { durationMs } from '../../../platform/metrics/promql/literals.ts'
import type { Matcher } from '../../../platform/metrics/promql/ast.ts'

/** Parameters of a request, wherever they stood. A name can have several values. */
export type Parameters = URLSearchParams

const maxFormBytes = 64 * 1024
const maxSelectors = 20

/** Parameters of a query string that was parsed already; a form adds to them, as Prometheus has it. */
export function parametersOf(query: Record<string, unknown> | undefined, form?: Buffer): Parameters {
  const parameters = new URLSearchParams()
  if (form && form.length > maxFormBytes) throw bad(`The form is larger than ${maxFormBytes / 1024} KiB.`)
  if (form)
    for (const [name, value] of new URLSearchParams(form.toString('utf8'))) parameters.append(name, value)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'string') parameters.append(name, each)
    }
  }
  return parameters
}

export const bad = (sentence: string) => new AppError('invalid_request', sentence)

/** A time in seconds since 1970 or of RFC 3339, in ms. Throws AppError `invalid_request`. */
export function timeOf(parameters: Parameters, name: string, fallbackMs?: number): number {
  const text = parameters.get(name) ?? ''
  if (text === '' && fallbackMs !== undefined) return fallbackMs
  const seconds = Number(text)
  const ms = text !== '' && Number.isFinite(seconds) ? Math.round(seconds * 1_000) : Date.parse(text)
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) {
    throw bad(
      `The parameter "${name}" is no time in seconds or of RFC 3339: ${JSON.stringify(text.slice(0, 40))}.`,
    )
  }
  return ms
}

/** A length in seconds or as a duration, in ms. Throws AppError `invalid_request`. */
export function stepOf(parameters: Parameters): number {
  const ms = durationMs(parameters.get('step') ?? '')
  if (ms === undefined || ms <= 0)
    throw bad('The parameter "step" is no number of seconds or duration above 0.')
  return ms
}

/** The expression of the parameter `query`. Throws AppError `invalid_request`. */
export function expressionOf(parameters: Parameters): string {
  const text = parameters.get('query') ?? ''
  if (text.trim() === '') throw bad('The parameter "query" is missing.')
  if (text.length > metricQueryBounds.maxExpressionLength) {
    throw bad(`The parameter "query" is longer than ${metricQueryBounds.maxExpressionLength} characters.`)
  }
  return text
}

/** The matchers of each `match[]`. Throws AppError `invalid_request` for anything but a selector. */
export function selectorsOf(parameters: Parameters): (readonly Matcher[])[] {
  const texts = parameters.getAll('match[]')
  if (texts.length > maxSelectors) throw bad(`Send up to ${maxSelectors} parameters "match[]".`)
  return texts.map((text) => {
    if (text.length > metricQueryBounds.maxExpressionLength) throw bad('A parameter "match[]" is too long.')
    const expr = parsePromql(text)
    if (expr.kind !== 'selector') throw bad('A parameter "match[]" must be a selector such as up{job="a"}.')
    return expr.matchers
  })
}

/** How many entries a list answers: `limit`, or 10,000. */
export function limitOf(parameters: Parameters): number {
  const limit = Number(parameters.get('limit') ?? 0)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, maxListed) : maxListed
}

const maxListed = 10_000
