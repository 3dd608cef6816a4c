import { AppError } from '../../errors.ts'

/** Why an expression that can be read has no answer over these series: AppError `invalid_request`. */
export const evaluationError = (sentence: string) => new AppError('invalid_request', sentence)

/** A label set as PromQL writes it, at most 120 characters. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const { __name__: name = '', ...others } = labels
  const pairs = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  const text = `${name}{${pairs.join(', ')}}`
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
