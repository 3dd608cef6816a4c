import type { Permission, Role, WorkflowDefinitionBody } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import { keyBounds, type RunKeys } from './key-bounds.ts'
import type { StepTypes } from './registry.ts'

type Steps = Pick<WorkflowDefinitionBody, 'steps'>

/**
 * Throws AppError `forbidden` for the first step that a person may not carry out, by their role or the API key of the
 * present request.
 */
export function requireStepPermissions(stepTypes: StepTypes, definition: Steps, role: Role): void {
  for (const { name, permission } of neededPermissions(stepTypes, definition)) {
    const reason = whyNotNow(role, permission)
    if (reason !== undefined) throw stepForbidden(name, reason)
  }
}

/** The same for the API keys that bound a run. */
export async function requireStepsOfKeys(
  db: Db,
  stepTypes: StepTypes,
  definition: Steps,
  keys: RunKeys,
): Promise<void> {
  const reasonAgainst = await keyBounds(db, keys)
  for (const { name, permission } of neededPermissions(stepTypes, definition)) {
    const reason = await reasonAgainst(permission)
    if (reason !== undefined) throw new AppError('forbidden', `The step "${name}" may not run. ${reason}`)
  }
}

/** What each step needs beside the start of the run, and so does the step that undoes it. */
export function neededPermissions(
  stepTypes: StepTypes,
  { steps }: Steps,
): { name: string; permission: Permission }[] {
  return steps.flatMap(({ name, type, compensate }) =>
    [type, compensate?.type].flatMap((each) => {
      const permission = each === undefined ? undefined : stepTypes.get(each)?.permission
      return permission === undefined ? [] : [{ name, permission }]
    }),
  )
}

export function stepForbidden(name: string, reason: string): AppError {
  return new AppError('forbidden', `The step "${name}" is not allowed to you. ${reason}`)
}
