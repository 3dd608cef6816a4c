import { triggerEventTable } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { wakeRun } from '../../../../platform/engine/engine.ts'
import { evaluateCondition } from '../../expressions/evaluate.ts'
import { ExpressionError } from '../../expressions/expression-error.ts'

type Event = { organizationId: number; type: string; data?: object | undefined }

type WaitingStep = { id: string; run_id: string; event: string; match: string | null }

/**
 * Gives events to the steps that wait for them, in the transaction of the events: their runs go on after the commit. A
 * step that is locked is just looking whether its time is up, and the event is lost to it.
 */
export async function deliverEvents(db: Db, events: readonly Event[]): Promise<void> {
  const known = events.filter(({ type }) => Object.hasOwn(triggerEventTable, type))
  for (const organizationId of new Set(known.map((event) => event.organizationId))) {
    const own = known.filter((event) => event.organizationId === organizationId)
    const { rows } = await db.execute<WaitingStep>(sql`
      select id, run_id, input ->> 'event' as event, input ->> 'match' as match from step_runs
      where organization_id = ${organizationId} and type = 'wait_event' and status = 'waiting' and output is null
        and input ->> 'event' in (select jsonb_array_elements_text(${JSON.stringify(own.map(({ type }) => type))}::jsonb))
      for update skip locked`)
    for (const step of rows) {
      const event = own.find((each) => each.type === step.event && matches(step, each))
      if (event === undefined) continue
      const output = { event: { type: event.type, ...event.data } }
      await db.execute(
        sql`update step_runs set output = ${JSON.stringify(output)}::jsonb where id = ${step.id}`,
      )
      await wakeRun(db, step.run_id)
    }
  }
}

/** A condition that cannot be evaluated on an event does not hold for it. */
function matches({ match }: WaitingStep, { type, data }: Event): boolean {
  if (match === null) return true
  try {
    return evaluateCondition(match, { event: { type, ...data } })
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}
