import type {
  DefinitionProblem,
  WorkflowDefinitionBody,
  WorkflowStepDefinition,
} from '@bey/contract/workflows/definition'
import { needsOf } from '@bey/contract'

import {
  definitionVariables,
  itemSchema,
  type Variables,
} from '../definition/expressions/check-expression.ts'
import { isTemplated } from '../definition/expressions/template.ts'
import { createAncestry } from './ancestry.ts'
import { checkConfigShape } from './check-config.ts'
import {
  type CheckedText,
  checkNamedExpression,
  checkTemplates,
  type TextProblem,
} from './check-templates.ts'
import { configFieldsOf, configSchemaOf } from './config-fields.ts'
import type { KnownThings } from './known-things.ts'
import type { StepTypes } from './registry.ts'
import { stepsSchema } from './step-outputs.ts'
import { secretsRefusal, type StepType, takesSecrets } from './step-type.ts'

type Definition = Pick<WorkflowDefinitionBody, 'steps' | 'inputSchema' | 'outputs' | 'concurrency'>
type Checked = { problems: DefinitionProblem[]; add: AddProblem }
type AddProblem = (path: string, message: string, rest?: Partial<Omit<TextProblem, 'message'>>) => void

/** What is wrong with one step of a definition. Whether the graph has cycles and keys are unique is not looked at. */
export function checkStep(
  step: WorkflowStepDefinition,
  definition: Definition,
  stepTypes: StepTypes,
  known: KnownThings = {},
): DefinitionProblem[] {
  return createStepCheck(definition, stepTypes, known)(step, definition.steps.indexOf(step))
}

/** What is wrong with all steps and outputs; the graph is read once. */
export function checkSteps(
  definition: Definition,
  stepTypes: StepTypes,
  known: KnownThings = {},
): DefinitionProblem[] {
  const check = createStepCheck(definition, stepTypes, known)
  return [
    ...checkWorkflowTexts(definition, stepTypes, known),
    ...definition.steps.flatMap((step, index) => check(step, index)),
  ]
}

function createStepCheck(definition: Definition, stepTypes: StepTypes, known: KnownThings) {
  const { steps } = definition
  const shared = { ...definitionVariables, steps: stepsSchema(steps, stepTypes, known) }
  const needs = new Map(steps.map((step, index) => [step.key, needsOf(steps, index)]))
  const inputs = inputNames(definition.inputSchema)
  const isBefore = createAncestry(needs)

  return function check(step: WorkflowStepDefinition, index: number): DefinitionProblem[] {
    const at = `steps[${index}]`
    const { problems, add } = collect(step.key)
    const variables =
      step.foreach === undefined
        ? shared
        : { ...shared, item: itemSchema(step.foreach.items, shared), index: {} }
    const texts: CheckedText[] = []
    if (step.when !== undefined) {
      texts.push(checkNamedExpression(step.when, `${at}.when`, shared))
    }
    if (step.foreach !== undefined) {
      texts.push(checkNamedExpression(step.foreach.items, `${at}.foreach.items`, shared))
    }
    if (step.concurrency !== undefined) {
      texts.push(...withoutSecrets(checkTemplates(step.concurrency.key, `${at}.concurrency.key`, variables)))
    }
    const type = typeOf(stepTypes, step.type, `${at}.type`, add)
    if (type !== undefined) {
      texts.push(...checkConfig(type, step.config, `${at}.config`, variables, { known, add }))
    }
    reportTexts(texts, (key) => isBefore(key, step.key), { needs, inputs, known, add })
    if (step.compensate !== undefined) {
      const undo = typeOf(stepTypes, step.compensate.type, `${at}.compensate.type`, add)
      if (undo?.kind === 'flow') {
        add(
          `${at}.compensate.type`,
          `"${undo.type}" undoes nothing. Choose a type of step that does something.`,
        )
      }
      const undoTexts = undo
        ? checkConfig(undo, step.compensate.config, `${at}.compensate.config`, variables, { known, add })
        : []
      // It runs after the step itself, whose output it may read.
      reportTexts(undoTexts, (key) => key === step.key || isBefore(key, step.key), {
        needs,
        inputs,
        known,
        add,
      })
    }
    return problems
  }
}

function typeOf(stepTypes: StepTypes, name: string, path: string, add: AddProblem): StepType | undefined {
  const type = stepTypes.get(name)
  if (type !== undefined) return type
  const similar = [...stepTypes.keys()].find((each) => each.includes(name) || name.includes(each))
  add(path, `There is no type "${name}".${similar === undefined ? '' : ` Did you mean "${similar}"?`}`)
  return undefined
}

function checkConfig(
  type: StepType,
  config: Readonly<Record<string, unknown>>,
  path: string,
  variables: Variables,
  { known, add }: { known: KnownThings; add: AddProblem },
): CheckedText[] {
  for (const problem of checkConfigShape(type, config)) {
    const separator = problem.path === '' || problem.path.startsWith('[') ? '' : '.'
    add(`${path}${separator}${problem.path}`, problem.message)
  }
  const { literal, expressions } = configFieldsOf(type)
  const texts: CheckedText[] = []
  for (const [name, value] of Object.entries(config)) {
    const names = expressions.get(name)
    if (names !== undefined) {
      // What they name are values of the type, not of the definition.
      const known = type.variablesOf?.(config) ?? {}
      const own = Object.fromEntries(names.map((each) => [each, known[each] ?? {}]))
      for (const [place, source] of expressionsIn(value, `${path}.${name}`)) {
        for (const { message, ...rest } of checkNamedExpression(source, place, own).problems)
          add(place, message, rest)
      }
    } else if (!literal.has(name)) texts.push(...checkTemplates(value, `${path}.${name}`, variables))
  }
  checkNames(type, config, path, { known, add })
  return takesSecrets(type) ? texts : withoutSecrets(texts, secretsRefusal)
}

/** One expression, or several by name, each with its path. */
function expressionsIn(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' ? [[`${path}.${name}`, member] as [string, string]] : [],
  )
}

/** A cluster, database, network, workflow or secret that is named without a template is looked up. */
function checkNames(
  type: StepType,
  config: Readonly<Record<string, unknown>>,
  path: string,
  { known, add }: { known: KnownThings; add: AddProblem },
): void {
  // Made by zod from an object.
  const properties = (configSchemaOf(type)['properties'] ?? {}) as Record<string, Record<string, unknown>>
  for (const [name, schema] of Object.entries(properties)) {
    const value = config[name]
    const widget = String(schema['x-widget'])
    if (typeof value !== 'string' && typeof value !== 'number') continue
    if (typeof value === 'string' && isTemplated(value)) continue
    if (isMissing(known, widget, value)) {
      const what = widget.replace('-name', '')
      add(`${path}.${name}`, `There is no ${what} "${value}" in this organization.`, { severity: 'warning' })
    }
  }
}

function isMissing(known: KnownThings, widget: string, value: string | number): boolean {
  switch (widget) {
    case 'cluster':
      return known.hasCluster?.(value) === false
    case 'database':
      return known.hasDatabase?.(String(value)) === false
    case 'network':
      return known.hasNetwork?.(String(value)) === false
    case 'workflow':
      return known.hasWorkflow?.(String(value)) === false
    case 'secret-name':
      return known.hasSecret?.(String(value)) === false
    default:
      return false
  }
}

type Surroundings = {
  needs: ReadonlyMap<string, readonly string[]>
  /** Undefined where the schema of the input does not name its properties. */
  inputs: ReadonlySet<string> | undefined
  known: KnownThings
  add: AddProblem
}

function reportTexts(
  texts: readonly CheckedText[],
  isBefore: (key: string) => boolean,
  { needs, inputs, known, add }: Surroundings,
): void {
  for (const { path, problems, named } of texts) {
    for (const { message, ...rest } of problems) add(path, message, rest)
    for (const key of named.steps) {
      if (!needs.has(key)) add(path, `There is no step "${key}".`)
      else if (!isBefore(key)) {
        add(
          path,
          `The step "${key}" may not have ended yet. Add it to needs, or to those of an earlier step.`,
        )
      }
    }
    for (const name of named.inputs) {
      if (inputs?.has(name) === false) {
        add(path, `The input "${name}" is not in the schema of the input.`, { severity: 'warning' })
      }
    }
    for (const { name } of named.secrets) {
      if (known.hasSecret?.(name) === false) {
        add(path, `There is no secret "${name}" in this organization.`, { severity: 'warning' })
      }
    }
  }
}

/** Outputs and the concurrency key of the workflow itself: every step may be named, and no secret. */
function checkWorkflowTexts(
  definition: Definition,
  stepTypes: StepTypes,
  known: KnownThings,
): DefinitionProblem[] {
  const { problems, add } = collect(null)
  const needs = new Map(definition.steps.map(({ key }) => [key, []]))
  const surroundings = { needs, inputs: inputNames(definition.inputSchema), known: {}, add }
  const variables = { ...definitionVariables, steps: stepsSchema(definition.steps, stepTypes, known) }
  const outputs = withoutSecrets(checkTemplates(definition.outputs, 'outputs', variables))
  reportTexts(outputs, () => true, surroundings)
  // It is evaluated before any step begins.
  const { inputs, run } = definitionVariables
  const key = definition.concurrency?.key ?? ''
  const keyTexts = withoutSecrets(checkTemplates(key, 'concurrency.key', { inputs, run }))
  reportTexts(keyTexts, () => true, surroundings)
  return problems
}

function withoutSecrets(
  texts: Iterable<CheckedText>,
  reason = 'secrets stand in config only.',
): CheckedText[] {
  return [...texts].map((text) => {
    const [secret] = text.named.secrets
    if (secret === undefined) return text
    const message = `The secret "${secret.name}" cannot be used here: ${reason}`
    const problems: TextProblem[] =
      text.problems.length > 0 ? text.problems : [{ message, severity: 'error' }]
    return { ...text, problems, named: { ...text.named, secrets: [] } }
  })
}

function inputNames(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> | undefined {
  const { properties } = schema
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined
}

function collect(stepKey: string | null): Checked {
  const problems: DefinitionProblem[] = []
  return {
    problems,
    add: (path, message, rest) => problems.push({ path, stepKey, message, severity: 'error', ...rest }),
  }
}
