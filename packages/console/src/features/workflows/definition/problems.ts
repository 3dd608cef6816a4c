import type { DefinitionProblem } from '@bey/contract'
import { findCycle, nearestWord, workflowLimits } from '@bey/contract'
import type { Draft, DraftStep, Path } from './draft.ts'
import { asGraph, parsePath, rangeOf } from './draft.ts'
import { freeKey, withNeed, withValue } from './draft-edits.ts'

/** Something wrong with a definition, at its place in the text. */
export interface Problem {
  message: string
  severity: 'error' | 'warning'
  /** Index of the step that it belongs to; undefined for the workflow itself. */
  step: number | undefined
  path: Path
  from: number
  to: number
  line: number
  /** Of a place within a text, from 1. */
  column?: number
  /** Paths of which it says all there is to say. */
  covers?: readonly string[]
  /** The text with it put right, where the console knows how. */
  fix?: { label: string; apply: () => string }
}

/** What can be said without asking the server: keys, needs, cycles, types. */
export function localProblems(draft: Draft, types: ReadonlySet<string> | undefined): Problem[] {
  const { root, steps } = draft
  const at = placer(draft)
  const problems: Problem[] = []
  if (typeof root['name'] !== 'string' || root['name'].trim() === '')
    problems.push(at(['name'], 'Enter a name for the workflow.'))
  if (root['steps'] !== undefined && !Array.isArray(root['steps']))
    problems.push(at(['steps'], 'Steps are a list: write each with a dash before its key.'))
  if (steps.length > workflowLimits.steps)
    problems.push(
      at(['steps'], `A workflow has at most ${workflowLimits.steps} steps; these are ${steps.length}.`),
    )
  const keys = new Map<string, number>()
  for (const step of steps) {
    problems.push(...stepProblems(draft, step, keys, types))
    if (!keys.has(step.key)) keys.set(step.key, step.index)
  }
  // Two steps of one key would look like a circle.
  const cycle = keys.size === steps.length ? findCycle(asGraph(steps)) : undefined
  if (cycle) problems.push(cycleProblem(draft, cycle))
  return problems
}

function stepProblems(
  draft: Draft,
  step: DraftStep,
  seen: ReadonlyMap<string, number>,
  types: ReadonlySet<string> | undefined,
): Problem[] {
  const at = placer(draft)
  const { index, key, type, needs = [] } = step
  const problems: Problem[] = []
  if (key === '') {
    const name = step.name || step.type || 'step'
    problems.push({
      ...at(['steps', index, 'key'], 'Give the step a key, by which others name it.'),
      fix: {
        label: 'Add a key',
        apply: () => withValue(draft, ['steps', index, 'key'], freeKey(draft, name)),
      },
    })
  } else if (seen.has(key)) {
    problems.push({
      ...at(['steps', index, 'key'], `Another step has the key "${key}".`),
      fix: { label: 'Rename', apply: () => withValue(draft, ['steps', index, 'key'], freeKey(draft, key)) },
    })
  }
  if (types && !types.has(type)) {
    const near = nearestWord(type, [...types])
    problems.push({
      ...at(
        ['steps', index, 'type'],
        type === ''
          ? 'Choose what the step does: write its type.'
          : `There is no type of step "${type}".${near ? ` Did you mean ${near}?` : ''}`,
      ),
      ...(near
        ? { fix: { label: 'Replace', apply: () => withValue(draft, ['steps', index, 'type'], near) } }
        : {}),
    })
  }
  for (const [place, need] of needs.entries()) {
    if (draft.steps.some((other) => other.key === need)) continue
    const others = draft.steps.map((other) => other.key).filter((other) => other !== key)
    const near = nearestWord(need, others)
    problems.push({
      ...at(
        ['steps', index, 'needs', place],
        `There is no step "${need}" to wait for.${near ? ` Did you mean ${near}?` : ''}`,
      ),
      fix: near
        ? { label: 'Replace', apply: () => withValue(draft, ['steps', index, 'needs', place], near) }
        : { label: 'Remove', apply: () => withNeed(draft, index, need, false) },
    })
  }
  return problems
}

function cycleProblem(draft: Draft, cycle: readonly string[]): Problem {
  const names = cycle.map((key) => draft.steps.find((step) => step.key === key)?.name || key)
  const last = draft.steps.find(({ key }) => key === cycle.at(-1))
  const [first] = cycle
  const index = last?.index ?? 0
  const covers = cycle.map((key) => `steps.${draft.steps.findIndex((step) => step.key === key)}.needs`)
  const circle =
    cycle.length === 1 ? `${names[0]} waits for itself` : `${names.join(', ')} wait for each other`
  return {
    ...placer(draft)(['steps', index, 'needs'], `${circle}, so none of them can begin.`),
    covers,
    ...(last && first !== undefined
      ? {
          fix: {
            label: cycle.length === 1 ? 'Do not wait' : `Let ${names.at(-1)} not wait for ${names[0]}`,
            apply: () => withNeed(draft, index, first, false),
          },
        }
      : {}),
  }
}

/** What the server found, at its place in this text. */
export function serverProblems(draft: Draft, problems: readonly DefinitionProblem[]): Problem[] {
  const at = placer(draft)
  return problems.map(({ path, message, severity, stepKey, position }) => {
    const parsed = parsePath(path)
    const place = stepKey === null ? -1 : draft.steps.findIndex(({ key }) => key === stepKey)
    // The path counts steps; the key is surer where the text has moved on.
    const isMoved = place >= 0 && parsed[0] === 'steps' && parsed[1] !== place
    const problem = { ...at(isMoved ? ['steps', place, ...parsed.slice(2)] : parsed, message), severity }
    const exact = position && placeWithin(draft, problem, position)
    if (exact) Object.assign(problem, exact)
    const fix = suggestedFix(draft, problem.path, message, position)
    return fix ? { ...problem, fix } : problem
  })
}

/**
 * Where a part of a value stands in the text of the draft. Undefined where the value is not written as it reads, such as a
 * text in quotes with escaped letters.
 */
function placeWithin(
  draft: Draft,
  { path, from, to }: Problem,
  { line, column, length }: NonNullable<DefinitionProblem['position']>,
): Pick<Problem, 'from' | 'to' | 'line' | 'column'> | undefined {
  const value: unknown = draft.document.getIn(path)
  if (typeof value !== 'string') return undefined
  const written = draft.text.slice(from, to)
  let at = 0
  // Each line of the value stands in the text behind the one before it, in a block with indentation between them.
  for (const [index, valueLine] of value.split('\n').entries()) {
    const found = written.indexOf(valueLine, at)
    if (found === -1) return undefined
    if (index === line - 1) {
      const begin = from + found + column - 1
      return {
        from: begin,
        to: Math.min(begin + length, to),
        line: draft.lineAt(begin),
        column: begin - draft.text.lastIndexOf('\n', begin - 1),
      }
    }
    at = found + valueLine.length
  }
  return undefined
}

/** "… Did you mean previous?" with the wrong word quoted before it: the word is replaced where it stands. */
function suggestedFix(
  draft: Draft,
  path: Path,
  message: string,
  { offset, length } = { offset: 0, length: Infinity },
): Problem['fix'] {
  const [, wanted] = /Did you mean [“"`']?([\w.-]+?)[”"`']?\?/.exec(message) ?? []
  const [, wrong] = /[“"`']([\w.-]+)[”"`']/.exec(message) ?? []
  const text: unknown = draft.document.getIn(path)
  if (wanted === undefined || wrong === undefined || typeof text !== 'string') return undefined
  const part = text.slice(offset, offset + length)
  if (!part.includes(wrong)) return undefined
  const corrected = text.slice(0, offset) + part.replace(wrong, wanted) + text.slice(offset + part.length)
  return { label: 'Replace', apply: () => withValue(draft, path, corrected) }
}

/** Problems of both, in the order of the text, none twice: what the console says the server need not repeat. */
export function mergeProblems(local: readonly Problem[], server: readonly Problem[]): Problem[] {
  const said = new Set(local.flatMap(({ path, covers = [] }) => [path.join('.'), ...covers]))
  const all = [...local, ...server.filter(({ path }) => !said.has(path.join('.')))]
  return all.toSorted((left, right) => left.from - right.from)
}

/** A problem's place, as people say it: "Roll back › manifest, line 73". */
export function problemPlace(draft: Draft, { step, path, line, column }: Problem): string {
  const name = step === undefined ? undefined : draft.steps[step]?.name || draft.steps[step]?.key
  const field = path
    .slice(step === undefined ? 0 : 2)
    .filter((part) => part !== 'config')
    .join(' › ')
  return [
    [name, field].filter(Boolean).join(' › ') || 'Workflow',
    `line ${line}`,
    ...(column === undefined ? [] : [`column ${column}`]),
  ].join(', ')
}

function placer(draft: Draft) {
  return (path: Path, message: string): Problem => {
    const { from, to } = rangeOf(draft, path)
    const [head, index] = path
    const step = head === 'steps' && typeof index === 'number' && draft.steps[index] ? index : undefined
    return { message, severity: 'error', step, path, from, to, line: draft.lineAt(from) }
  }
}

/** Whether a new key can be given to a step. */
export function keyError(draft: Draft, step: DraftStep, key: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(key))
    return 'Use lower-case letters, digits and underscores, beginning with a letter.'
  if (draft.steps.some((other) => other.index !== step.index && other.key === key))
    return `Another step has the key "${key}".`
  return undefined
}
