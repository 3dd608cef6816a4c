/** An object of JSON whose fields are not known yet. */
export type Json = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? [...(value as unknown[])] : [])

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((each): each is string => typeof each === 'string')
