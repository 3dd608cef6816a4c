import type { StepTypeInfo } from '@bey/contract'

import type { Handlers } from '../../../platform/http/handlers.ts'
import { configSchemaOf } from './config-fields.ts'
import type { StepTypes } from './registry.ts'
import type { StepType } from './step-type.ts'

export function stepTypeRoutes(stepTypes: StepTypes): Handlers<'workflows.stepTypes'> {
  // They are all known once the server answers requests.
  const list = () => [...stepTypes.values()].map(presentStepType)
  return { 'workflows.stepTypes': async () => ({ stepTypes: list() }) }
}

function presentStepType(type: StepType): StepTypeInfo {
  const { label, group, icon, description, guarantee, guaranteeNote, example, output } = type
  return {
    type: type.type,
    label,
    group,
    icon,
    description,
    guarantee: presentGuarantee(guarantee),
    guaranteeNote,
    configSchema: configSchemaOf(type),
    example,
    outputSchema: output,
    test: testOf(type),
  }
}

function testOf(type: StepType): StepTypeInfo['test'] {
  // Waiting, asking and starting other workflows is left to a run.
  if (type.kind === 'flow') return 'dry_run'
  return typeof type.test === 'string' ? type.test : 'dry_run'
}

function presentGuarantee({ cases, otherwise }: StepType['guarantee']): StepTypeInfo['guarantee'] {
  return { cases: cases.map((each) => ({ ...each, values: [...each.values] })), otherwise }
}
