import { databaseCan, deniedReason } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { databaseHref } from './database-text.ts'

interface DatabaseAction {
  run: () => void
  /** Why it cannot be done now. */
  disabledReason: string | undefined
  isRunning: boolean
}

/** What can be done with a database beside opening it. */
export function useDatabaseActions(database: Database) {
  const role = useRole()
  const stale = useStaleReason()
  const params = { id: database.id }
  const denied = stale ?? deniedReason(role, 'databases.operate')
  const restart = useChange('databases.restart')
  const hibernate = useChange('databases.hibernate')
  const resume = useChange('databases.resume')
  const provision = useChange('databases.provision')
  const failed = (act: string) => (error: unknown) =>
    toast('error', `${act} failed: ${causeOf(error)}`, {
      id: `${act}-${database.id}`,
      href: databaseHref(database.id),
    })
  return {
    restart: {
      run: () => restart.mutate({ params }, { onError: failed('Restart') }),
      disabledReason: denied ?? databaseCan.restart(database),
      isRunning: restart.isPending,
    },
    hibernate: {
      run: () => hibernate.mutate({ params }, { onError: failed('Hibernation') }),
      disabledReason: denied ?? databaseCan.hibernate(database),
      isRunning: hibernate.isPending,
    },
    resume: {
      run: () => resume.mutate({ params }, { onError: failed('Resuming') }),
      disabledReason: denied ?? databaseCan.resume(database),
      isRunning: resume.isPending,
    },
    provision: {
      run: () => provision.mutate({ params }, { onError: failed('Creation') }),
      disabledReason: denied ?? databaseCan.create(database),
      isRunning: provision.isPending,
    },
    failOverReason: denied ?? databaseCan.failOver(database, database.cluster?.instanceNames.length ?? 0),
    deleteReason: stale ?? deniedReason(role, 'databases.delete') ?? databaseCan.delete(database),
  } satisfies Record<string, DatabaseAction | string | undefined>
}
