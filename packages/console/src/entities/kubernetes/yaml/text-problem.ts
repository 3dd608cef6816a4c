/** Something wrong in a text, and where: offsets in UTF-16 code units, as CodeMirror counts. */
export interface TextProblem {
  from: number
  to: number
  severity: 'error' | 'warning'
  message: string
}

export type Free = Record<string, unknown>

export function isFree(value: unknown): value is Free {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
