import { auditActionText, type SpendCause } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { decimalText } from '../../../platform/decimal.ts'
import type { Move } from './why.ts'

/** Actions that change how much a thing uses, by the type of the thing. */
const actions: Readonly<Record<NonNullable<Move['subject']>['type'], readonly string[]>> = {
  cluster: ['cluster.%'],
  database: ['database.%'],
  workflow: ['workflow.%'],
  secret: ['secret.%'],
}

/**
 * Moves with the newest act of the audit trail on the same thing in a time, and within a day of the day on which its use
 * changed most, where there is one. That the act is the reason is likely and not proven: it is shown beside the move.
 */
export async function withActs(
  db: Db,
  organizationId: number,
  moves: readonly Move[],
  from: Date,
  to: Date,
): Promise<SpendCause[]> {
  // Of a thing that uses as much as before, no act is the reason.
  const asked = moves.filter((move) => move.subject !== null && move.text !== null)
  const { rows } =
    asked.length === 0
      ? { rows: [] }
      : await db.execute<ActRow>(sql`
          select a.position::int, e.at, e.action, e."actorId", e."actorName", e."actorEmail", e."actorType"
          from unnest(${sql.param(asked.map(({ subject }) => subject?.type))}::text[],
            ${sql.param(asked.map(({ subject }) => subject?.id))}::text[],
            ${sql.param(asked.map(({ subject }) => actions[subject?.type ?? 'cluster'][0]))}::text[],
            ${sql.param(asked.map(({ changedOn }) => changedOn))}::date[])
            with ordinality a (type, id, action, changed_on, position)
          cross join lateral (
            select at, action, actor_id as "actorId", actor_display as "actorName", actor_email as "actorEmail",
              actor_type as "actorType"
            from audit_entries
            where organization_id = ${organizationId} and target_type = a.type and target_id = a.id
              and at >= ${from.toISOString()}::timestamptz and at < ${to.toISOString()}::timestamptz
              and (a.changed_on is null or at >= a.changed_on - 1 and at < a.changed_on + 2)
              and action like a.action and class <> 'read' and outcome = 'success'
            order by at desc limit 1
          ) e`)
  const acts = new Map(rows.map((row) => [asked[row.position - 1]?.key, row]))
  return moves.map(({ key, name, text, amount }) => {
    const act = acts.get(key)
    return {
      key,
      name,
      text,
      amount: decimalText(amount),
      act: act
        ? {
            at: new Date(act.at).toISOString(),
            by:
              act.actorType === 'user'
                ? presentActor(Number(act.actorId), act.actorName, act.actorEmail)
                : presentActor(null, null, null),
            text: auditActionText(act.action),
          }
        : null,
    }
  })
}

type ActRow = {
  position: number
  at: string
  action: string
  actorId: string | null
  actorName: string
  actorEmail: string | null
  actorType: string
}
