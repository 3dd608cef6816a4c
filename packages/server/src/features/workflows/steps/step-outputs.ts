import type { WorkflowStepDefinition } from '@bey/contract/workflows/definition'

import { isTemplated } from '../definition/expressions/template.ts'
import { type ValueSchema, valueSchema } from '../definition/expressions/value-schema.ts'
import type { KnownThings } from './known-things.ts'
import type { StepTypes } from './registry.ts'

/** What is known of `steps`: status, error and output of each, as its type and config say. */
export function stepsSchema(
  steps: readonly WorkflowStepDefinition[],
  stepTypes: StepTypes,
  known: KnownThings,
): ValueSchema {
  return {
    properties: Object.fromEntries(
      steps.map((step) => [
        step.key,
        { properties: { status: {}, error: {}, output: outputSchema(step, stepTypes, known) } },
      ]),
    ),
    // A step that does not exist is a problem of its own.
    additionalProperties: true,
  }
}

function outputSchema(step: WorkflowStepDefinition, stepTypes: StepTypes, known: KnownThings): ValueSchema {
  const output = outputOfOne(step, stepTypes, known)
  if (step.foreach === undefined) return output
  return {
    properties: { count: {}, results: { items: { properties: { status: {}, error: {}, output } } } },
  }
}

function outputOfOne(
  { type: name, config }: WorkflowStepDefinition,
  stepTypes: StepTypes,
  known: KnownThings,
): ValueSchema {
  const type = stepTypes.get(name)
  if (type === undefined) return {}
  const output = type.outputOf?.(config) ?? valueSchema(type.output)
  const { workflow, version } = config
  if (type.kind !== 'flow' || type.flow !== 'subworkflow') return output
  if (version !== undefined || typeof workflow !== 'string' || isTemplated(workflow)) return output
  const names = known.outputsOf?.(workflow)
  if (names === undefined) return output
  const ofRun = { properties: Object.fromEntries(names.map((each) => [each, {}])) }
  return { properties: { ...output.properties, output: ofRun } }
}
