import { parse } from './evaluate.ts'
import { membersOf } from './syntax.ts'
import { isTemplated, parseTemplate, type SecretReference } from './template.ts'

/** What the templates of a value name. */
export type References = {
  steps: ReadonlySet<string>
  inputs: ReadonlySet<string>
  secrets: readonly SecretReference[]
}

/** What the templates anywhere within a value name. What cannot be read is passed over: checking it says so. */
export function referencesOf(value: unknown): References {
  const found = { steps: new Set<string>(), inputs: new Set<string>(), secrets: [] as SecretReference[] }
  for (const text of textsIn(value)) {
    if (!isTemplated(text)) continue
    for (const part of partsOf(text)) {
      if (part.kind === 'secret') found.secrets.push(part.secret)
      if (part.kind === 'expression') add(found, part.source)
    }
  }
  return found
}

/** What one expression names. */
export function referencesOfExpression(source: string): Pick<References, 'steps' | 'inputs'> {
  const found = { steps: new Set<string>(), inputs: new Set<string>() }
  add(found, source)
  return found
}

function add(found: { steps: Set<string>; inputs: Set<string> }, source: string): void {
  try {
    const { ast } = parse(source)
    for (const name of membersOf(ast, 'steps').names) found.steps.add(name)
    for (const name of membersOf(ast, 'inputs').names) found.inputs.add(name)
  } catch {
    // The expression is wrong, and checkExpression says how.
  }
}

function partsOf(text: string) {
  try {
    return parseTemplate(text).parts
  } catch {
    // As above.
    return []
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) yield* textsIn(member)
}
