import type { Permission, Role, WorkflowDefinitionBody } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { currentKey, whyNot, whyNotNow } from '../../../platform/keys/key-rights.ts'
import type { StepTypes } from './registry.ts'

type Steps = Pick<WorkflowDefinitionBody, 'steps'>

/**
 * Throws AppError `forbidden` for the first step that a person may not carry out, by their role or the API key of the
 * present request.
 */
export function requireStepPermissions(stepTypes: StepTypes, definition: Steps, role: Role): void {
  requireEach(stepTypes, definition, (permission) => whyNotNow(role, permission))
}

/**
 * The same for the author of the steps, where that is an API key: a trigger starts them later in the name of a person. A
 * person may write steps that somebody with another role is to start.
 */
export function requireStepsOfKey(stepTypes: StepTypes, definition: Steps): void {
  const key = currentKey()
  if (key) requireEach(stepTypes, definition, (permission) => whyNot({ role: 'OWNER', key }, permission))
}

function requireEach(
  stepTypes: StepTypes,
  { steps }: Steps,
  reasonAgainst: (permission: Permission) => string | undefined,
): void {
  for (const { name, type, compensate } of steps) {
    for (const each of [type, compensate?.type]) {
      const needed = each === undefined ? undefined : stepTypes.get(each)?.permission
      const reason = needed === undefined ? undefined : reasonAgainst(needed)
      if (reason !== undefined)
        throw new AppError('forbidden', `The step "${name}" is not allowed to you. ${reason}`)
    }
  }
}
