import type { DatabaseSession } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { toast } from '../../../ui/toast.ts'

export type SessionAct = 'cancel' | 'end'

/** What may be done with sessions of a database: cancel a statement, or end the session. `onDone` follows each act. */
export function useSessionActs(databaseId: string, onDone: () => void) {
  const denied = deniedReason(useRole(), 'databases.endSessions')
  const stale = useStaleReason()
  const cancel = useChange('databases.cancelSession')
  const end = useChange('databases.endSession')

  function refusalOf({ identity }: DatabaseSession): string | undefined {
    if (denied !== undefined || stale !== undefined) return denied ?? stale
    return identity === null
      ? 'The user of the connection does not see this session (pg_monitor is missing).'
      : undefined
  }

  return {
    denied,
    isBusy: cancel.isPending || end.isPending,
    refusalOf,
    /** The outcome is a toast; a request that failed goes to `onProblem`, or is a toast as well. */
    run(act: SessionAct, session: DatabaseSession, reason: string, onProblem?: (text: string) => void): void {
      const { pid, identity } = session
      if (identity === null || refusalOf(session) !== undefined) return
      const done = {
        onSuccess: ({ isDone }: { isDone: boolean }) => {
          if (isDone)
            toast('success', act === 'end' ? `Session ${pid} ended` : `Statement of ${pid} cancelled`)
          else toast('error', `Session ${pid} was asked to stop but is still running`)
          onDone()
        },
        onError: (error: unknown) => {
          if (onProblem) onProblem(causeOf(error))
          else toast('error', `The statement of ${pid} was not cancelled: ${causeOf(error)}`)
        },
      }
      const input = { params: { id: databaseId, pid }, body: { identity, reason } }
      if (act === 'end') end.mutate(input, done)
      else cancel.mutate(input, done)
    },
  }
}

/** Only a statement that is executed now can be cancelled. */
export const canCancel = ({ state }: DatabaseSession): boolean => state === 'active'
