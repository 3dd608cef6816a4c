import {
  type DefinitionProblem,
  findCycle,
  needsOf,
  snakeCase,
  type WorkflowDefinitionBody,
  workflowLimits,
} from '@bey/contract'
import { workflowDefinition } from '@bey/contract/workflows/definition'
import { camelNames, fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import type { z } from 'zod'

import { checkInputSchema } from '../runs/starting/check-input.ts'

/** What is wrong with the expressions and the configs of a definition, step by step. */
export type CheckSteps = (definition: WorkflowDefinitionBody) => readonly DefinitionProblem[]

const shape = wireShape(workflowDefinition) ?? {}

/** Reads a definition as people write it (snake case) and tells everything that is wrong with it. */
export function readDefinition(
  written: Record<string, unknown>,
  checkSteps: CheckSteps,
): { definition: WorkflowDefinitionBody | undefined; problems: DefinitionProblem[] } {
  const camel = [...camelNames(written, shape)].map(({ path, wire }) =>
    problem(
      placeText(path),
      stepKeyAt(path, written),
      `There is no field "${path.at(-1)}" here. Did you mean "${wire}"?`,
    ),
  )
  if (camel.length > 0) return { definition: undefined, problems: camel }
  const parsed = workflowDefinition.safeParse(fromWire(written, shape))
  if (!parsed.success) {
    return {
      definition: undefined,
      problems: parsed.error.issues.map((issue) => shapeProblem(issue, written)),
    }
  }
  return { definition: parsed.data, problems: checkDefinition(parsed.data, checkSteps) }
}

/** What is wrong with a definition whose shape is right: its graph, then each step. */
export function checkDefinition(
  definition: WorkflowDefinitionBody,
  checkSteps: CheckSteps,
): DefinitionProblem[] {
  const { steps } = definition
  return [
    ...checkSize(steps.length),
    ...checkInput(definition.inputSchema),
    ...steps.flatMap((step, index) => checkNeeds(steps, step, index)),
    ...checkCycle(definition),
    ...checkSteps(definition),
  ]
}

function checkSize(count: number): DefinitionProblem[] {
  if (count === 0) return [problem('steps', null, 'Add at least one step.')]
  if (count <= workflowLimits.stepsAdvised) return []
  const message = `The workflow has ${count} steps. Beyond ${workflowLimits.stepsAdvised}, sub-workflows are easier to read.`
  return [{ ...problem('steps', null, message), severity: 'warning' }]
}

function checkInput(schema: Record<string, unknown>): DefinitionProblem[] {
  const type = schema['type']
  if (type !== undefined && type !== 'object') {
    return [problem('input_schema.type', null, 'The input of a run is an object: use type "object".')]
  }
  const wrong = checkInputSchema(schema)
  return wrong === undefined ? [] : [problem('input_schema', null, wrong)]
}

type Steps = WorkflowDefinitionBody['steps']

function checkNeeds(steps: Steps, step: Steps[number], index: number): DefinitionProblem[] {
  const at = `steps[${index}]`
  const found: DefinitionProblem[] = []
  const first = steps.findIndex((each) => each.key === step.key)
  if (first < index) {
    found.push(problem(`${at}.key`, step.key, `Step ${first + 1} has the key "${step.key}" already.`))
  }
  for (const need of step.needs ?? []) {
    if (need === step.key) found.push(problem(`${at}.needs`, step.key, 'A step cannot wait for itself.'))
    else if (!steps.some((each) => each.key === need)) {
      found.push(problem(`${at}.needs`, step.key, `There is no step "${need}" to wait for.`))
    }
  }
  return found
}

function checkCycle({ steps }: WorkflowDefinitionBody): DefinitionProblem[] {
  const cycle = findCycle(steps)
  const [key] = cycle ?? []
  if (cycle === undefined || key === undefined || cycle.length === 1) return []
  const index = steps.findIndex((step) => step.key === key)
  const path = [...cycle, key].join(' → ')
  const needs = needsOf(steps, index).filter((need) => cycle.includes(need))
  return [
    problem(
      `steps[${index}].needs`,
      key,
      `These steps wait for each other and would never begin: ${path}. Remove "${needs[0] ?? key}" from the needs of "${key}".`,
    ),
  ]
}

/** A problem of the shape, reported at the place where it was written. */
function shapeProblem(issue: z.core.$ZodIssue, written: Record<string, unknown>): DefinitionProblem {
  return problem(pathText(issue.path), stepKeyAt(issue.path, written), messageOf(issue))
}

function stepKeyAt([list, index]: readonly PropertyKey[], written: Record<string, unknown>): string | null {
  const steps = written['steps']
  const step: unknown = list === 'steps' && Array.isArray(steps) ? steps[Number(index)] : undefined
  const isStep = typeof step === 'object' && step !== null && 'key' in step && typeof step.key === 'string'
  return isStep ? String(step.key) : null
}

/** A path whose names are as they were written. */
function placeText(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const names = issue.keys.map((key) => `"${snakeCase(key)}"`).join(', ')
  return `There is no field ${names} here.`
}

/** As people write it: `steps[2].timeout_ms`. Below free JSON, names stay as they are. */
function pathText(path: readonly PropertyKey[]): string {
  let isFree = false
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else {
      const name = isFree ? String(part) : snakeCase(String(part))
      text += text === '' ? name : `.${name}`
    }
    isFree ||= part === 'config' || part === 'inputSchema' || part === 'outputs'
  }
  return text
}

function problem(path: string, stepKey: string | null, message: string): DefinitionProblem {
  return { path, stepKey, message, severity: 'error' }
}
