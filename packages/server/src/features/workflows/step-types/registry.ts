import type { StepType } from './step-type.ts'
import { transform } from './types/transform.ts'

/** Every type of step by its name. A new type is one file below `types/` and one line here. */
export type StepTypes = ReadonlyMap<string, StepType>

export function createStepTypes(): StepTypes {
  return stepTypesOf([transform])
}

/** Throws where two types have one name. */
export function stepTypesOf(types: readonly AnyStepType[]): StepTypes {
  const byName = new Map<string, StepType>()
  for (const type of types) {
    if (byName.has(type.type)) throw new Error(`Two types of steps are called "${type.type}"`)
    // Executors take what their own schema gave: whoever calls one parses the config with that schema first.
    byName.set(type.type, type as unknown as StepType)
  }
  return byName
}

/** A type whose config is known to itself alone. */
type AnyStepType = Pick<StepType, 'type' | 'kind'>
