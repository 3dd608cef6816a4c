import { triggerEventTable } from '@bey/contract'
import type { Db } from '../../../../platform/db/database.ts'
import { lockCall } from '../../../../platform/db/locks.ts'
import { statement } from '../../../../platform/db/prepared.ts'
import { wakeRun } from '../../../../platform/engine/requests.ts'
import { stepEvents } from '../../../../tables/step-events.ts'
import { eventValue } from '../../runs/event-value.ts'
import { evaluateCondition } from '../../definition/expressions/evaluate.ts'
import { ExpressionError } from '../../definition/expressions/expression-error.ts'

type Event = { organizationId: number; type: string; data?: object | undefined }

type WaitingStep = { id: string; run_id: string; event: string; match: string | null }

/**
 * Gives events to the steps that wait for them, in the transaction of the events: their runs go on after the commit. No
 * step is locked for it, so that nothing waits for the other, and an event arrives at a step that is locked as well.
 */
export async function deliverEvents(db: Db, events: readonly Event[]): Promise<void> {
  const known = events.filter(({ type }) => Object.hasOwn(triggerEventTable, type))
  for (const organizationId of new Set(known.map((event) => event.organizationId))) {
    const own = known.filter((event) => event.organizationId === organizationId)
    const steps = await waitingSteps(db, organizationId, [...new Set(own.map(({ type }) => type))])
    const given = steps.flatMap((step) => {
      const event = own.find((each) => each.type === step.event && matches(step, each))
      return event === undefined ? [] : [{ step, event: eventValue(event) }]
    })
    if (given.length === 0) continue
    await db
      .insert(stepEvents)
      .values(
        given.map(({ step, event }) => ({ organizationId, runId: step.run_id, stepRunId: step.id, event })),
      )
    for (const runId of new Set(given.map(({ step }) => step.run_id))) await wakeRun(db, runId)
  }
}

/**
 * Steps that wait for events of these types. A step that begins to wait holds the gate of its type until its commit, so
 * that it is either seen here or began after the event.
 */
async function waitingSteps(
  db: Db,
  organizationId: number,
  types: readonly string[],
): Promise<WaitingStep[]> {
  const [, waiting] = await Promise.all([
    closeGates(db, [organizationId, types]),
    waitingForEvents(db, [organizationId, types]),
  ])
  return waiting
}

const closeGates = statement(
  'step_events_gates',
  `select ${lockCall('xact_lock_shared', 'eventGate', `hashtext($1::int || ':' || type)`)} from unnest($2::text[]) type`,
)

const waitingForEvents = statement<WaitingStep>(
  'step_events_waiting',
  `select id, run_id, waits_for as event, input ->> 'match' as match from step_runs
   where organization_id = $1 and waits_for = any($2)`,
)

/** Whether a step may begin to wait for events of this type now: no such event is between its arrival and its commit. */
export async function takeEventGate(db: Db, organizationId: number, type: string): Promise<boolean> {
  const [gate] = await openGate(db, [organizationId, type])
  return gate?.is_open === true
}

const openGate = statement<{ is_open: boolean }>(
  'step_events_open_gate',
  `select ${lockCall('try_xact_lock', 'eventGate', `hashtext($1::int || ':' || $2::text)`)} as is_open`,
)

/** A condition that cannot be evaluated on an event does not hold for it. */
function matches({ match }: WaitingStep, event: Event): boolean {
  if (match === null) return true
  try {
    return evaluateCondition(match, { event: eventValue(event) })
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}
