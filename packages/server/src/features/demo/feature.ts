import type { Feature, Parts } from '../../feature.ts'
import type { DemoLife } from '../../platform/demo.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { createDemoRemoval, type RemovalDeps } from './removal.ts'
import { createDemos, type DemoClusters } from './service.ts'
import { createRounds } from './rounds.ts'
import { createSleep } from './sleep.ts'
import { createVisits, type VisitDeps } from './visits.ts'

type Needs = Omit<Parameters<typeof createDemos>[0], 'database' | 'clock' | 'clusters'> &
  Omit<RemovalDeps, 'database' | 'endClusters' | 'lives'> & {
    lives: () => readonly DemoLife[]
    clusters: DemoClusters & {
      end: RemovalDeps['endClusters']
      sleep: (organizationId: number) => Promise<void>
    }
    visits: VisitDeps
  }

export function demoFeature(
  { database, clock, log, config }: Parts,
  { clusters, visits: visitDeps, ...needs }: Needs,
) {
  const demos = createDemos({ database, clock, clusters, ...needs })
  const visits = createVisits(database, demos, visitDeps)
  const removal = createDemoRemoval({ database, endClusters: clusters.end, ...needs })
  const { lives } = needs
  // A process that only serves requests leaves what runs to the others.
  const stopRounds = config.role === 'web' ? undefined : createRounds({ database, clock, log, lives })
  const stopSleep = createSleep({ database, clock, log, sleep: clusters.sleep })
  return {
    handlers: {
      'demo.create': ({ caller }) => demos.create(caller),
      'demo.get': ({ caller }) => demos.look(caller.organizationId),
      'demo.visit': ({ body, caller }) => visits.visit(body.ticket, caller),
      'demo.remove': async ({ caller }) => {
        await removal.remove(caller.organizationId)
        return null
      },
    } satisfies Handlers<'demo.create' | 'demo.get' | 'demo.visit' | 'demo.remove'>,
    issueVisit: visits.issue,
    retention: removal.removeEnded,
    close: async () => {
      stopSleep()
      await stopRounds?.()
    },
  } satisfies Feature & Record<'issueVisit', unknown>
}
