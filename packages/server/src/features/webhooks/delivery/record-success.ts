import type { Db } from '../../../platform/db/database.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { statement } from '../../../platform/db/prepared.ts'
import type { Outcome } from './attempt.ts'
import type { Claimed } from './claim.ts'

/**
 * Records that a message was taken, with one statement. The webhook itself is written where that is news, and otherwise
 * once a second at most: hundreds of messages a second must not wait for its row. A test says nothing of it.
 */
export async function recordSuccess(
  db: Db,
  { id, organizationId, webhookId, attemptNumber, isTest }: Claimed,
  { statusCode, durationMs, requestHeaders, responseHeaders, responseHead }: Outcome,
): Promise<void> {
  await success(db, [
    organizationId,
    id,
    webhookId,
    attemptNumber,
    statusCode,
    durationMs,
    uuidv7(),
    JSON.stringify(requestHeaders),
    JSON.stringify(responseHeaders),
    responseHead,
    isTest,
  ])
}

// The log is kept even if another process took the claim over; a deleted delivery has none.
const success = statement(
  'webhook_success',
  `with delivered as (
    update webhook_deliveries
    set status = 'delivered', finished_at = now(), last_status_code = $5::int, last_error = null,
      last_duration_ms = $6::int
    where organization_id = $1 and id = $2 and status = 'sending' and attempt_number = $4
  ), logged as (
    insert into webhook_attempts (id, organization_id, delivery_id, number, at, duration_ms, status_code,
      request_headers, response_headers, response_head)
    select $7::uuid, $1, d.id, $4, now() - make_interval(secs => $6 / 1000.0), $6, $5, $8::json, $9::json, $10
    from webhook_deliveries d where d.organization_id = $1 and d.id = $2
  )
  update webhooks
  set last_attempt_at = now(), last_status_code = $5, last_succeeded = true, failing_since = null
  where organization_id = $1 and id = $3 and not $11::boolean
    and (failing_since is not null or last_succeeded is distinct from true
      or last_attempt_at < now() - interval '1 second')`,
)
