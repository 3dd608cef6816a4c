import { AppError } from '../../../platform/errors.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { RunFacts } from '../definition/definition.ts'
import type { ResolveSecret } from '../definition/expressions/render.ts'
import { whyNotSecret } from './key-bounds.ts'

/** Gives a value in the name of a person, and records the use; the secrets of the organization are one. */
export type ReadSecret = (usage: {
  organizationId: number
  userId: number
  name: string
  version?: number
  field?: string
  user: { type: 'workflow'; id: string; name: string; runId?: string }
  /** Why it may not be used although the person may, as a sentence. */
  whyNot?: (
    db: Db,
    secret: { id: string; name: string },
    isGranted: (keyId: string) => boolean,
  ) => Promise<string | undefined>
}) => Promise<string>

type UsingRun = Pick<RunFacts, 'organizationId' | 'createdBy' | 'workflowId' | 'authorKeyIds'> & {
  id?: string
}

/**
 * Secrets for the steps of a run: the person who started it must hold `use` of them, and so must the API keys that saved
 * what it executes. Throws StepFailure.
 */
export function createRunSecrets(readSecret: ReadSecret) {
  return function secretsOf(run: UsingRun, stepKey: string): ResolveSecret {
    const { organizationId, createdBy, workflowId, authorKeyIds = [], id } = run
    return async (secret) => {
      if (createdBy === null) {
        throw new StepFailure(`Nobody started this run, so nobody may use the secret "${secret.name}".`)
      }
      try {
        return await readSecret({
          organizationId,
          userId: createdBy,
          ...secret,
          user: {
            type: 'workflow',
            id: workflowId,
            name: `Step ${stepKey}`,
            ...(id !== undefined && { runId: id }),
          },
          ...(authorKeyIds.length > 0 && {
            whyNot: (db, found, isGranted) =>
              whyNotSecret(db, { organizationId, authorKeyIds, runId: id }, found, isGranted),
          }),
        })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new StepFailure(error.message, { cause: error })
      }
    }
  }
}
