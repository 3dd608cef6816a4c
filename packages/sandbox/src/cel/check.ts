import type { ASTNode, Environment, TypeError } from '@marcbachmann/cel-js'
import { environment, isParseError } from './cel.ts'
import { syntaxWords, typeWordsOf } from './compiler-words.ts'

/** What an expression may refer to: variables with their types, and the fields of object types. */
export type Scope = {
  variables: Readonly<Record<string, string>>
  objects?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The type that an expression has, or what the compiler of Kubernetes has against it. */
export type Verdict = { type: string; wrong?: undefined } | { wrong: string; type?: undefined }

function scoped({ variables, objects = {} }: Scope): Environment {
  const own = environment().clone({ unlistedVariablesAreDyn: false })
  // A type is named before those of its members, which have to be known first.
  for (const [name, fields] of Object.entries(objects).toReversed()) {
    own.registerType(name, { fields: { ...fields } })
    // Any two objects of one type can be compared, and each with nothing.
    own.registerOperator(`${name} == ${name}`, () => false)
    own.registerOperator(`${name} == null`, () => false)
    own.registerOperator(`${name} in list<${name}>`, () => false)
  }
  for (const [name, type] of Object.entries(variables)) own.registerVariable(name, type)
  return own
}

/** Arguments of `has(self.…)`, which the library leaves unchecked. */
function hasArguments(expression: string, roots: readonly string[]): string[] {
  const pattern = new RegExp(`\\bhas\\(\\s*((?:${roots.join('|')})(?:\\.\\w+)+)\\s*\\)`, 'g')
  return [...expression.matchAll(pattern)].map(([, argument = '']) => argument)
}

/**
 * What Kubernetes has and the library lacks, under names that look like variables to it. Expressions with these are
 * only parsed: one that a real server takes must be taken here.
 */
const unknownHere =
  /\.(optMap|optFlatMap|transformList|transformMap|transformMapEntry)\(|\bmath\.|\.(all|exists|existsOne)\(\s*\w+\s*,\s*\w+\s*,/

/** Compiles an expression against what there is, without evaluating anything. */
export function check(expression: string, scope: Scope): Verdict {
  const own = scoped(scope)
  let parsed: { ast: ASTNode; check: () => { valid: boolean; type?: string; error?: unknown } }
  try {
    parsed = own.parse(expression)
  } catch (error) {
    if (isParseError(error)) return { wrong: `compilation failed: ${syntaxWords(expression, error)}` }
    throw error
  }
  if (unknownHere.test(expression)) return { type: 'dyn' }
  const names = new Set(own.getDefinitions().functions.map((one) => one.name))
  const refuse = (text: string, error: unknown): Verdict => ({
    // A check that fails always says why.
    wrong: `compilation failed: ${typeWordsOf(text, error as TypeError, (name) => names.has(name))}`,
  })
  const { valid, type = 'dyn', error } = parsed.check()
  // The library does not know what stands in an optional value whose content may be anything.
  if (error instanceof Error && error.message.startsWith("Cannot index type 'undefined'"))
    return { type: 'dyn' }
  if (!valid) return refuse(expression, error)
  for (const argument of hasArguments(expression, Object.keys(scope.variables))) {
    const inner = own.check(argument)
    if (inner.valid) continue
    const at = expression.indexOf(argument)
    // The place is counted from the start of the whole expression.
    const padded = `${' '.repeat(at)}${argument}`
    const verdict = refuse(padded, own.check(padded).error)
    return { wrong: (verdict.wrong ?? '').replace(`\n | ${padded}`, `\n | ${expression}`) }
  }
  return { type }
}
