import { AppError } from '../../../platform/errors.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { RunFacts } from '../definition.ts'
import type { ResolveSecret } from '../expressions/render.ts'

/** Gives a value in the name of a person, and records the use; the secrets of the organization are one. */
export type ReadSecret = (usage: {
  organizationId: number
  userId: number
  name: string
  version?: number
  field?: string
  user: { type: 'workflow'; id: string; name: string; runId?: string }
}) => Promise<string>

type UsingRun = Pick<RunFacts, 'organizationId' | 'createdBy' | 'workflowId'> & { id?: string }

/** Secrets for the steps of a run: the person who started it must hold `use` of them. Throws StepFailure. */
export function createRunSecrets(readSecret: ReadSecret) {
  return function secretsOf(run: UsingRun, stepKey: string): ResolveSecret {
    const { organizationId, createdBy, workflowId, id } = run
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
        })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new StepFailure(error.message, { cause: error })
      }
    }
  }
}
