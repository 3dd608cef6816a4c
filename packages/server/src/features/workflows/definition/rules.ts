import { workflowMoves, type WorkflowState } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { missing } from '../parts.ts'
import { presentPerson } from '../../../platform/present-actor.ts'
import { findVersion, lockWorkflow } from './store.ts'

/** Throws `not_found`, `forbidden` for a workflow of the product itself, or `conflict` for a deleted one. */
export async function lockOwn(db: Db, organizationId: number, id: string) {
  const row = await lockOwnOrDeleted(db, organizationId, id)
  if (row.deletedAt === null) return row
  throw new AppError('conflict', `The workflow "${row.name}" is deleted. Restore it first.`)
}

/** The same, also where it is deleted. */
export async function lockOwnOrDeleted(db: Db, organizationId: number, id: string) {
  const row = (await lockWorkflow(db, organizationId, id)) ?? missing('workflow')
  if (row.builtIn !== null) {
    throw new AppError(
      'forbidden',
      `"${row.name}" is built in and cannot be changed. Create a workflow of your own instead.`,
    )
  }
  return row
}

/** Throws `conflict` for a move that is not legal. */
export function requireMove(from: WorkflowState, to: WorkflowState): void {
  if (workflowMoves[from].includes(to)) return
  const allowed = workflowMoves[from].join(' or ')
  throw new AppError(
    'conflict',
    `The workflow is ${from}. From there it can become ${allowed}, but not ${to}.`,
  )
}

/** Who saved while somebody else edited, and what can be done. */
export async function savedMeanwhile(
  db: Db,
  organizationId: number,
  id: string,
  version: number,
): Promise<AppError> {
  const current = await findVersion(db, organizationId, id, version)
  const { name } = presentPerson(null, current?.createdByName ?? null, null)
  return new AppError(
    'conflict',
    `${name} has saved version ${version} meanwhile. Compare it with yours, then save yours as the next version or discard it.`,
  )
}

/** Throws `name_taken` where another workflow has the name. */
export async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'workflows_name_key') throw error
    throw new AppError(
      'name_taken',
      `A workflow named "${name}" already exists. Choose another name. One that was deleted keeps its name until it is gone for good.`,
      { cause: error },
    )
  }
}
