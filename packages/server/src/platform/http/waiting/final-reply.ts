import { type Endpoint, type EndpointName, isRunOver, type Operation } from '@bey/contract'
import { api } from '@bey/contract/api'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import type { Database } from '../../db/database.ts'
import { waitSecondsOf } from './prefer.ts'
import type { Waits } from './waits.ts'

type Fields = Readonly<Record<string, unknown>>
type Run = { workflowId: string; runId: string }
type Finished = { status: number; json: string }

type Parts = { http: Pick<FastifyInstance, 'inject'>; database: Database; waits: Waits }

/**
 * Waits for the end of what a request started, where it prefers that and its caller may read the state, and answers that
 * state: 200 once it is over, else the status as it was. Where nothing is waited for, the reply is left alone, which
 * RFC 7240 allows.
 */
export function finalReplies({ http, database, waits }: Parts) {
  return async function finalReply<D extends Finished>(
    { operation }: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    done: D,
  ): Promise<D> {
    const seconds = waitSecondsOf(request.headers['prefer'])
    const { caller } = request
    const { organizationId, user } = caller ?? {}
    if (
      operation === undefined ||
      seconds === undefined ||
      organizationId === undefined ||
      user === undefined
    )
      return done
    // Serialized a moment ago, or kept of an earlier request with the same Idempotency-Key.
    const body = JSON.parse(done.json) as Fields
    const run = runOf(body)
    if (run === undefined && operation.whileField === undefined) return done
    const url = addressOf(operation, request.params as Fields, body, run)

    /** The state as this caller may read it at this moment, with the status of the answer. */
    async function read(): Promise<{ status: number; state?: Fields }> {
      const response = await http.inject({
        method: 'GET',
        url,
        remoteAddress: request.ip,
        headers: {
          authorization: request.headers.authorization,
          'x-organization-id': String(organizationId),
          'user-agent': request.headers['user-agent'],
          host: request.host,
        },
      })
      const { statusCode: status } = response
      return status === 200 ? { status, state: response.json<Fields>() } : { status }
    }

    if ((await read()).state === undefined) return done
    const isOver = run
      ? () => isRunDone(database, organizationId, run.runId)
      : async () => {
          const { status, state } = await read()
          if (state !== undefined) return !goesOn(operation, thingIn(operation, body, state))
          // Gone, or no longer for this caller; a limit or a server that is away says nothing of the state.
          return [401, 403, 404].includes(status)
        }
    const signal = hangUpOf(reply)
    const outcome = await waits.until({ organizationId, userId: user.id, seconds, signal }, isOver)
    const state = outcome === 'full' || signal.aborted ? undefined : (await read()).state
    if (state === undefined) return done
    reply.header('preference-applied', `wait=${seconds}`)
    const status = outcome === 'over' && done.status === 202 ? 200 : done.status
    return { ...done, status, json: JSON.stringify(renewed(operation, body, state)) }
  }
}

/** The run that a reply names, in one of the ways in which replies do. */
function runOf({ workflowId, runId, run, lastRun }: Fields): Run | undefined {
  if (typeof runId === 'string') return { workflowId: String(workflowId), runId }
  const named = fieldsOf(run) ?? fieldsOf(lastRun)
  if (named === undefined) return undefined
  if (typeof named['runId'] === 'string')
    return { workflowId: String(named['workflowId']), runId: named['runId'] }
  return { workflowId: String(named['workflow_id']), runId: String(named['id']) }
}

async function isRunDone(database: Database, organizationId: number, runId: string): Promise<boolean> {
  const [row] = await database.readTenant(organizationId, (db) =>
    db.select({ status: workflowRuns.status }).from(workflowRuns).where(eq(workflowRuns.id, runId)),
  )
  return row === undefined || isRunOver(row.status)
}

function addressOf({ read }: Operation, params: Fields, body: Fields, run: Run | undefined): string {
  // A test of the contract holds that there is such a read.
  const { path }: Endpoint = api[read as EndpointName]
  const values: Fields = read === 'workflows.run' ? { id: run?.workflowId, runId: run?.runId } : params
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? body['id'])),
  )
}

/** What a read answers of the thing that the reply was about. */
function thingIn(operation: Operation, body: Fields, state: Fields | undefined): Fields | undefined {
  if (operation.in === undefined) return state
  const inside = state?.[operation.in]
  if (!Array.isArray(inside)) return fieldsOf(inside)
  return inside.map(fieldsOf).find((each) => each?.['id'] === body['id'])
}

function goesOn({ whileField }: Operation, thing: Fields | undefined): boolean {
  return whileField?.values.includes(String(thing?.[whileField.name])) ?? false
}

/** The reply with the fields that it has, as they are now. */
function renewed(operation: Operation, body: Fields, state: Fields): Fields {
  if (operation.read !== 'workflows.run') {
    const thing = thingIn(operation, body, state) ?? {}
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, thing[key] ?? value]))
  }
  const run = fieldsOf(state['run']) ?? {}
  if (fieldsOf(body['run'])) return { ...body, run }
  const failure = fieldsOf(run['error'])?.['message']
  const message = failure ?? `The run of ${String(run['workflow_name'])} is ${String(run['status'])}.`
  return { ...body, status: run['status'], ...('message' in body && { message }) }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Aborts when the client hangs up before it has its answer. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
