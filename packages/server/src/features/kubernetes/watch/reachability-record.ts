import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { NoteIdentity, SetReachability } from '../connection/ports.ts'
import type { Silence } from './liveness.ts'

type Options = {
  organizationId: number
  clusterId: number
  setReachability: SetReachability
  noteIdentity: NoteIdentity
  clock: Clock
  log: Log
}

/** Writes down whether a cluster answers, and which one it is, for lists and other processes. */
export function createReachabilityRecord(options: Options) {
  const { organizationId, clusterId, log } = options
  // One after the other, so that the last is what stays.
  let turn: Promise<void> = Promise.resolve()

  function inTurn(write: () => Promise<void>): Promise<void> {
    turn = turn.then(write).catch((error: unknown) => {
      log.debug({ err: error, clusterId }, 'The reachability of a cluster was not recorded')
    })
    return turn
  }

  return {
    record: (silence: Silence | undefined) =>
      inTurn(() =>
        silence
          ? options.setReachability(
              organizationId,
              clusterId,
              'unreachable',
              `It does not answer: ${silence.reason}.`,
              silence.since,
            )
          : options.setReachability(organizationId, clusterId, 'reachable', null, options.clock.now()),
      ),
    noteIdentity: (uid: string | null, isReplaced: boolean) =>
      inTurn(() => options.noteIdentity(organizationId, clusterId, { uid, isReplaced })),
  }
}
