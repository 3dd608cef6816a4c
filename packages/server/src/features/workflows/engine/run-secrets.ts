import { referencesOf } from '../definition/expressions/references.ts'
import { type KnownSecrets, knownWith, noSecrets } from '../steps/known-secrets.ts'
import type { ExecutionParts } from './execution.ts'
import type { RunPlan } from './plan.ts'

/** Reads all secrets that the steps of a plan name, once; again where that failed. */
export function secretsOfRun(
  { secretValuesOf }: Pick<ExecutionParts, 'secretValuesOf'>,
  organizationId: number,
  plan: RunPlan,
): () => Promise<KnownSecrets> {
  let known: Promise<KnownSecrets> | undefined
  async function read(): Promise<KnownSecrets> {
    const { secrets } = referencesOf(plan.own?.steps ?? [])
    return secrets.length === 0
      ? noSecrets
      : knownWith(noSecrets, await secretValuesOf(organizationId, secrets))
  }
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}
