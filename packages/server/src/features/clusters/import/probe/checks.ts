import { type ConnectionCheck, type ConnectionProblem, type ConnectionTest } from '@bey/contract'
import { connectionChecks } from '@bey/contract/clusters/import'

import { problemOf } from './problems.ts'

type Outcome<T> = { value: T; detail: string; isWarning?: boolean }

/** The checks of one test in their order; after the first that fails none is tried. */
export type Checks = {
  /** Undefined where the check failed, or threw. */
  run<T>(key: ConnectionCheck, work: () => Promise<Outcome<T>>): Promise<T | undefined>
  /** Ends the check that runs. */
  fail(problem: ConnectionProblem & { detailInList?: string }): never
  result(): Pick<ConnectionTest, 'checks' | 'stoppedAt' | 'problem'>
}

class CheckFailed extends Error {
  readonly problem: ConnectionProblem & { detailInList?: string }

  constructor(problem: CheckFailed['problem']) {
    super(problem.title)
    this.problem = problem
  }
}

/** `server` is named in sentences. */
export function startChecks(server: string): Checks {
  const rows = new Map<ConnectionCheck, ConnectionTest['checks'][number]>()
  let stopped: { key: ConnectionCheck; problem: ConnectionProblem } | undefined

  return {
    async run(key, work) {
      if (stopped) return undefined
      try {
        const { value, detail, isWarning = false } = await work()
        rows.set(key, { key, state: isWarning ? 'warning' : 'ok', detail })
        return value
      } catch (error) {
        const { detailInList, ...problem } =
          error instanceof CheckFailed ? error.problem : problemOf.error(error, key, server)
        rows.set(key, { key, state: 'failed', detail: detailInList ?? 'failed' })
        stopped = { key, problem }
        return undefined
      }
    },
    fail(problem) {
      throw new CheckFailed(problem)
    },
    result: () => ({
      checks: connectionChecks.map((key) => rows.get(key) ?? { key, state: 'skipped', detail: 'not tried' }),
      stoppedAt: stopped?.key ?? null,
      problem: stopped?.problem ?? null,
    }),
  }
}
