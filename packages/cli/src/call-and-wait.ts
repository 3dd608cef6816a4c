import { randomUUID } from 'node:crypto'
import { maxWaitSeconds, routes } from '@bey/contract'
import { followRun } from './commands/follow-run.ts'
import type { EndpointCommand } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import type { Session } from './session.ts'

type Fields = Readonly<Record<string, unknown>>
type Waited = { reply: unknown; exitCode: number }

/**
 * Calls an endpoint that starts work, and waits for the end of it. The exit code says how that ended; the reply is the state
 * since. Throws UsageError where `timeout`, in seconds, is no number.
 */
export async function callAndWait(
  command: EndpointCommand,
  session: Session,
  input: object,
  timeout: unknown,
): Promise<Waited> {
  const { client, signal } = session
  const options = { signal, idempotencyKey: randomUUID() }
  const { isIdempotent: isRepeatable } = routes[command.endpoint]
  // The table of commands is made from the contract, and the server checks every part.
  const call = (waitSeconds?: number): Promise<unknown> =>
    client.call(command.endpoint, input, { ...options, ...(waitSeconds && { waitSeconds }) })

  const reply = await begin()
  const params = runOf(reply)
  if (params === undefined) return { reply, exitCode: exitCodes.ok }
  const { run, hasEnded } = await followRun(session, params, timeout)
  const exitCode = !hasEnded ? exitCodes.running : run.status === 'completed' ? exitCodes.ok : exitCodes.error
  if (exitCode === exitCodes.error)
    session.terminal.note(`${run.workflowName} ${run.status}: ${run.error?.message ?? 'see its steps'}\n`)
  // Repeated under the same key it is not carried out again: the first reply comes, with the state since.
  if (isRepeatable) return { reply: await call(1), exitCode }
  return { reply: { ...fieldsOf(reply), status: run.status }, exitCode }

  /** Begun before it is waited for where that is possible: Ctrl+C then ends the wait, and is known to end nothing else. */
  async function begin(): Promise<unknown> {
    if (command.waits === 'run') return call()
    if (!isRepeatable) return call(maxWaitSeconds)
    await call()
    try {
      return await call(maxWaitSeconds)
    } catch (error) {
      if (!signal.aborted) throw error
      throw new CommandError('Interrupted. What was begun goes on at the server.', exitCodes.interrupted)
    }
  }
}

/** The run that a reply names, in one of the ways in which replies do. */
function runOf(reply: unknown): { id: string; runId: string } | undefined {
  const { workflowId, runId, run, lastRun } = fieldsOf(reply)
  if (typeof runId === 'string') return { id: String(workflowId), runId }
  const named = fieldsOf(run ?? lastRun)
  if (typeof named['workflowId'] !== 'string') return undefined
  return { id: named['workflowId'], runId: String(named['runId'] ?? named['id']) }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
