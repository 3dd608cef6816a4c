import { databaseMoves, type DatabaseStatus } from '@bey/contract'

import { act, serverItself } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { badEndOf } from '../../platform/bad-end.ts'
import type { RunMove, WorkflowDefinition } from '../workflows/definition/definition.ts'
import { sendDatabaseMessage } from './database-messages.ts'
import { databaseTarget } from './present.ts'
import { findDatabase, moveDatabase } from './store.ts'

type Outcome = { status: DatabaseStatus; values?: Parameters<typeof moveDatabase>[4] }

type Meaning = {
  /** What the run does, at the start of a sentence: `Creation`. */
  what: string
  /** Statuses that a database has while such a run works on it. */
  while: readonly DatabaseStatus[]
  begun?: DatabaseStatus
  completed(now: Date): Outcome
  /** Failed and cancelled alike. */
  failed: DatabaseStatus | ((move: RunMove) => DatabaseStatus)
}

export function databaseIdOf(run: RunMove['run']): string {
  const { databaseId } = run.input
  if (typeof databaseId !== 'string') throw new Error('The run names no database')
  return databaseId
}

/** What the moves of a run mean for the status of its database, in the transaction of each. */
export function onDatabaseMove(clock: Clock, meaning: Meaning): NonNullable<WorkflowDefinition['onMove']> {
  const moveTo = (db: Db, move: RunMove, outcome: Outcome, error: string | null) =>
    moveOfRun(db, clock, move, meaning.while, outcome, error)
  return async (db, move) => {
    const { status } = move
    if (status === 'running') {
      if (meaning.begun !== undefined) await moveTo(db, move, { status: meaning.begun }, null)
      return
    }
    if (status === 'completed') return moveTo(db, move, meaning.completed(clock.now()), null)
    const error = badEndOf(meaning.what, move)
    if (error === undefined) return
    const { failed } = meaning
    await moveTo(db, move, { status: typeof failed === 'string' ? failed : failed(move) }, error)
  }
}

/**
 * Moves the database of a run that is in one of these statuses, with what is said of it in the audit log, live and to webhooks.
 * One in another status, or of a newer run, is left alone.
 */
async function moveOfRun(
  db: Db,
  clock: Clock,
  { run, status }: Pick<RunMove, 'run' | 'status'>,
  statuses: readonly DatabaseStatus[],
  outcome: Outcome,
  error: string | null,
): Promise<void> {
  const { organizationId } = run
  const id = databaseIdOf(run)
  const to = outcome.status
  const from = statuses.filter((each) => databaseMoves[each].includes(to))
  const values = { ...outcome.values, reason: error, checkAt: clock.now() }
  const subject = { organizationId, id, runId: run.id }
  if (!(await moveDatabase(db, subject, from, to, values, clock.now()))) return
  const row = await findDatabase(db, organizationId, id)
  await act(
    db,
    { ...serverItself(organizationId), via: 'workflow' },
    {
      action: `${run.workflowKey}.${status}`,
      class: 'update',
      target: databaseTarget({ id, name: row?.name ?? '' }),
      outcome: error === null ? 'success' : 'failure',
      runId: run.id,
      diff: { status: to, ...(error === null ? {} : { error }) },
      event: { type: 'DATABASES_UPDATE', data: { databaseId: id } },
    },
  )
  const type = messageOfMove(run.workflowKey, status, to)
  if (type !== undefined) {
    const message = { databaseId: id, name: row?.name ?? '', reason: error, runId: run.id }
    await sendDatabaseMessage(db, organizationId, type, message)
  }
}

/** The database that a run makes is available before the run is over; what comes after that leaves it so. */
export async function becomeAvailable(db: Db, clock: Clock, run: RunMove['run']): Promise<void> {
  const row = await findDatabase(db, run.organizationId, databaseIdOf(run))
  if (row?.status !== 'provisioning') return
  await moveOfRun(db, clock, { run, status: 'completed' }, ['provisioning'], { status: 'available' }, null)
}

/** What webhooks are told of the end of a run; a cancelled one was meant to end. */
function messageOfMove(workflowKey: string, runStatus: string, to: DatabaseStatus) {
  if (runStatus === 'failed' || runStatus === 'timed_out') return 'database.failed'
  if (runStatus !== 'completed') return undefined
  if (to === 'deleted') return 'database.deleted'
  const makes = ['database.create', 'database.cluster_create', 'database.restore'].includes(workflowKey)
  return makes && to === 'available' ? 'database.created' : undefined
}
