import { AppError } from '../../../platform/errors.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Publish } from '../../workflows/ports.ts'
import type { ReadObjects } from '../cluster-objects.ts'
import type { Cluster, IngressParts } from '../parts.ts'
import { keepProblems, keptProblems } from './problem-store.ts'
import { type IngressProblem, problemsOf, withHistory } from './problems.ts'

const roundMs = 20_000
/** What has not changed is written again after so long, so that it is known to be current. */
const keptMs = 60_000

/** Notifies the members of a problem, in the transaction that records that it did. */
export type NoticeProblem = (db: Db, cluster: Cluster, problem: IngressProblem) => Promise<void>

type Needs = Pick<IngressParts, 'database' | 'clock' | 'log'> & {
  publish: Publish
  readObjects: ReadObjects
  notice: NoticeProblem
}

/** Looks for problems of an observed cluster until stopped, and keeps what it finds for the dashboard. */
export function watchProblems(observed: Cluster, needs: Needs) {
  const { database, clock, log, publish, readObjects } = needs
  const { id, organizationId } = observed
  let isBusy = false
  let isStopped = false

  async function check(): Promise<void> {
    const read = await readObjects(observed).catch((error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    if (isStopped) return
    const objects = read && read.objects.noAnswerSince === null ? read.objects : undefined
    const now = clock.now()
    await database.withTenant(organizationId, async (db) => {
      const before = await keptProblems(db, observed)
      const found = objects && withHistory(problemsOf(objects, now.getTime()), before.problems, now)
      // What was found before is remembered for when the cluster answers again; nobody is shown it meanwhile.
      const kept = { problems: found?.problems ?? before.problems, isCurrent: found !== undefined }
      const news = found?.news ?? []
      const hasChanged = digestOf(kept) !== digestOf(before)
      const isFresh = before.asOf !== null && now.getTime() - before.asOf.getTime() < keptMs
      if (!hasChanged && news.length === 0 && isFresh) return
      await keepProblems(db, observed, kept, now)
      for (const problem of news) await needs.notice(db, observed, problem)
      if (hasChanged) await publish(db, [{ organizationId, type: 'CLUSTERS_UPDATE' as const }])
    })
  }

  function begin(): void {
    if (isBusy || isStopped || !database.isUp()) return
    isBusy = true
    check()
      .catch((error: unknown) =>
        log.debug(
          { err: error, clusterId: id },
          'The ingress of a cluster was not looked at; the next round tries again',
        ),
      )
      .finally(() => (isBusy = false))
  }

  const cancel = clock.setInterval(begin, roundMs)
  begin()
  return {
    stop() {
      isStopped = true
      cancel()
    },
  }
}

/** What the dashboard shows of it; that a certificate has a day less is no news. */
const digestOf = ({ problems, isCurrent }: { problems: readonly IngressProblem[]; isCurrent: boolean }) =>
  JSON.stringify([isCurrent, problems.map(({ key, health: { state, reason } }) => [key, state, reason])])
