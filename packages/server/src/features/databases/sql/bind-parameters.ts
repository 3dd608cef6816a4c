import { parameterizeSql } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'

type Given = { name: string; value: string | null }

/** A statement as it is sent, with what leads back to the one that was written. */
export type BoundStatement = {
  /** As it was written. */
  statement: string
  /** As it is sent: with numbers for the names of its parameters. */
  text: string
  /** In the order of the numbers. Text, for which PostgreSQL chooses the type by where it stands. */
  values: (string | null)[]
  names: string[]
  originalOffset: (offset: number) => number
}

/**
 * A statement with the values of its parameters, which are bound and never become part of it. Throws AppError
 * `invalid_request` with the fields, for a value that is missing or that the statement has no parameter for.
 */
export function bindParameters(statement: string, given: readonly Given[]): BoundStatement {
  const bound = bindKnown(statement, given)
  const { missing, unknown } = bound
  const errors = [
    ...missing.map((name) => ({
      path: 'parameters',
      message: `Enter a value for :${name}, or choose NULL.`,
    })),
    ...unknown.map((name) => ({ path: 'parameters', message: `The statement has no parameter :${name}.` })),
  ]
  const [first] = errors
  if (first) throw new AppError('invalid_request', first.message, { errors })
  return bound
}

/** The same without refusing what is missing: those have the value NULL, and their names are in `missing`. */
export function bindKnown(statement: string, given: readonly Given[]) {
  const { text, names, refusal, originalOffset } = parameterizeSql(statement)
  if (refusal !== undefined) {
    throw new AppError('invalid_request', refusal, { errors: [{ path: 'statement', message: refusal }] })
  }
  const values = new Map(given.map(({ name, value }) => [name, value]))
  return {
    statement,
    text,
    names,
    originalOffset,
    values: names.map((name) => values.get(name) ?? null),
    missing: names.filter((name) => !values.has(name)),
    unknown: [...values.keys()].filter((name) => !names.includes(name)),
  }
}

/** A statement without parameters, sent as it is. */
export const withoutParameters = (statement: string): BoundStatement => ({
  statement,
  text: statement,
  names: [],
  values: [],
  originalOffset: (offset) => offset,
})
