import type { IncomingHttpHeaders } from 'node:http'

import type { Db } from '../../../platform/db/database.ts'
import { findTriggerOrganization } from '../../../platform/db/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { isOrganizationPaused } from '../../../platform/run-pause.ts'
import { rateBuckets } from '../../../platform/rate-buckets.ts'
import { evaluate } from '../definition/expressions/evaluate.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { fire } from './fire.ts'
import type { TriggerParts } from './ports.ts'
import { checkSender } from './signature.ts'
import { findArrival, insertArrival, type LockedTrigger, lockTrigger, settleArrival } from './store.ts'

/** Requests that one webhook may receive. */
const limit = { burst: 60, perSecond: 10 }

type Arrival = { id: string; headers: IncomingHttpHeaders; body: Buffer }
export type HookReply = {
  status: 'started' | 'waiting' | 'ignored' | 'duplicate'
  runId: string | null
  note: string
}

/** What is the context of the sealed secret of a trigger. */
export const secretContext = (triggerId: string) => `workflow-trigger:${triggerId}`

/** Takes the requests of inbound webhooks, whose senders have no account. */
export function createHooks(parts: TriggerParts) {
  const { database, dataKeys, clock } = parts
  const buckets = rateBuckets(clock, limit, 10_000)

  function takeTurn(id: string): void {
    if (buckets.take(id).isAllowed) return
    throw new AppError('rate_limited', 'This webhook receives too many requests. Send them more slowly.', {
      retryAfterSeconds: 1,
    })
  }

  /** Throws `not_found`, `forbidden` for a wrong signature, `conflict`, `rate_limited`, and `invalid_request`. */
  async function receive(arrival: Arrival): Promise<HookReply> {
    const organizationId = await findTriggerOrganization(database.pool, arrival.id)
    if (organizationId === undefined) throw unknownHook()
    takeTurn(arrival.id)
    const reply = await database.withTenant(organizationId, (db) => take(db, organizationId, arrival))
    // Thrown after the commit, so that people see with the trigger what was wrong.
    if (reply.status === 'failed') throw new AppError('invalid_request', reply.note)
    return { ...reply, status: reply.status }
  }

  async function take(db: Db, organizationId: number, { id, headers, body }: Arrival) {
    const trigger = await lockTrigger(db, organizationId, id)
    if (trigger?.settings.type !== 'webhook') throw unknownHook()
    const now = clock.now()
    const secrets = await validSecrets(db, trigger, now)
    const problem = checkSender(trigger.settings.authentication, headers, body, secrets, now)
    if (problem !== undefined) throw new AppError('forbidden', problem)
    requireOpen(trigger)
    const scope = { body: parseBody(body), headers: plainHeaders(headers) }
    const key = eventKey(trigger, scope, headers)
    // While a budget pauses new runs, what arrives waits with all that its run will need.
    const isPaused = await isOrganizationPaused(db, organizationId)
    const row = {
      organizationId,
      triggerId: id,
      key,
      payload: isPaused ? scope : {},
      status: 'waiting',
      at: now,
    }
    const arrivalId = await insertArrival(db, row)
    if (arrivalId === undefined) {
      const known = await findArrival(db, organizationId, id, key ?? '')
      return { status: 'duplicate' as const, runId: known?.runId ?? null, note: 'This event arrived before.' }
    }
    if (isPaused) return { status: 'waiting' as const, runId: null, note: waitingNote }
    const fired = await fire(parts, db, trigger, 'webhook', scope)
    await settleArrival(db, arrivalId, fired)
    return fired.status === 'started'
      ? { status: fired.status, runId: fired.runId, note: '' }
      : { status: fired.status, runId: null, note: fired.note }
  }

  async function validSecrets(db: Db, trigger: LockedTrigger, now: Date): Promise<string[]> {
    const isOldValid = trigger.previousUntil !== null && trigger.previousUntil > now
    const sealed = [trigger.secret, isOldValid ? trigger.previousSecret : null]
    const open = await dataKeys.opener(db, trigger.organizationId)
    return sealed.flatMap((each) => (each === null ? [] : [open(each, secretContext(trigger.id)).toString()]))
  }

  return { receive }
}

const waitingNote = 'A budget pauses new runs. The run starts when the pause ends.'

const unknownHook = () => new AppError('not_found', 'There is no webhook at this address.')

/** Throws `conflict` for a trigger that is switched off, `organization_deleting` while its organization waits for that. */
function requireOpen({ isEnabled, workflowState, workflowName, organizationDeletesAt }: LockedTrigger): void {
  if (organizationDeletesAt !== null) {
    throw new AppError(
      'organization_deleting',
      'The organization of this webhook waits to be deleted and starts no runs. An owner can undo that.',
    )
  }
  if (!isEnabled) throw new AppError('conflict', 'This webhook is switched off.')
  if (workflowState !== 'active') {
    throw new AppError(
      'conflict',
      `The workflow "${workflowName}" is ${workflowState}: its triggers start no runs.`,
    )
  }
}

/** JSON where it is JSON, form fields where it is a form, else the text. */
function parseBody(body: Buffer): unknown {
  const text = body.toString('utf8')
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}

const hiddenHeaders = new Set(['authorization', 'cookie'])

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hiddenHeaders.has(name) ? [] : [[name, String(value)]],
    ),
  )
}

/** By which an event is known again: what the trigger says, else the id of Standard Webhooks or of GitHub. */
function eventKey(trigger: LockedTrigger, scope: object, headers: IncomingHttpHeaders): string | null {
  const { settings } = trigger
  if (settings.type === 'webhook' && settings.event_key !== undefined) {
    try {
      return String(evaluate(settings.event_key, { ...scope })).slice(0, 500)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw new AppError('invalid_request', `The key of the event cannot be read: ${error.message}`)
    }
  }
  const id = headers['webhook-id'] ?? headers['x-github-delivery']
  return typeof id === 'string' ? id.slice(0, 500) : null
}
