import { snakeCase } from '@bey/contract'
import { camelNames, fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { type WorkflowStepDefinition, workflowStepDefinition } from '@bey/contract/workflows/definition'

import { AppError } from '../../../../platform/errors.ts'

const shape = wireShape(workflowStepDefinition) ?? {}

/** Reads one step as people write it (snake case). Throws AppError `invalid_request` that names its fields. */
export function readStep(written: Record<string, unknown>): WorkflowStepDefinition {
  const [camel] = camelNames(written, shape)
  if (camel !== undefined) {
    const path = ['step', ...camel.path].join('.')
    const message = `There is no such field. Write "${camel.wire}".`
    throw new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
  }
  const parsed = workflowStepDefinition.safeParse(fromWire(written, shape))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
    path: ['step', ...path.map((part) => snakeCase(String(part)))].join('.'),
    message,
  }))
  throw new AppError('invalid_request', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
}
