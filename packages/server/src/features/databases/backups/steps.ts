import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Json, StepContext, StepDefinition } from '../../workflows/definition/definition.ts'

export type StepWork<Subject> = (context: StepContext, subject: Subject) => Promise<Json | undefined>

/**
 * Makes the steps of a built-in workflow, each of which gets the rows that its run is about. What people can mend, such as a
 * store that is away or a disabled secret, fails the step with its sentence.
 */
export function stepsOf<Subject>(subjectOf: (context: StepContext) => Promise<Subject>) {
  return (key: string, name: string, work: StepWork<Subject>): StepDefinition => ({
    key,
    name,
    type: 'database',
    guarantee: 'at_least_once_keyed',
    async execute(context) {
      try {
        return await work(context, await subjectOf(context))
      } catch (error) {
        if (error instanceof BackupStoreProblem || error instanceof AppError) {
          throw new StepFailure(error.message, { cause: error })
        }
        throw error
      }
    },
  })
}
