import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type Client } from '@bey/client'
import type { Run } from '@bey/contract'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { openProgress } from '../output/progress.ts'
import type { Session } from '../session.ts'

const pollMs = 1000

type Followed = { run: Run; hasEnded: boolean }

/**
 * Shows the progress of a run until it has ended or the time is up. A server that restarts meanwhile is waited for. Ctrl+C
 * ends the following alone: throws CommandError that says so.
 * `timeout`: seconds as typed; throws UsageError for what is no number.
 */
export async function followRun(
  { client, terminal, signal }: Session,
  params: { id: string; runId: string },
  timeout: unknown,
): Promise<Followed> {
  const timeoutMs = timeout === undefined ? Infinity : Number(timeout) * 1000
  if (Number.isNaN(timeoutMs)) throw new UsageError('--timeout takes a number of seconds.')
  const endsAt = performance.now() + timeoutMs
  const progress = openProgress(terminal)
  try {
    for (;;) {
      const { run } = await untilAnswered(() => client.call('workflows.run', { params }, { signal }), signal)
      const hasEnded = run.finishedAt !== null
      if (hasEnded || performance.now() >= endsAt) return { run, hasEnded }
      progress.show(`${run.workflowName}: ${run.status}`, run.progressPercent)
      await wait(Math.min(pollMs, Math.max(0, endsAt - performance.now())), undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CommandError(
      `Interrupted. The run goes on at the server. Follow it again: bey runs watch ${params.id} ${params.runId}`,
      exitCodes.interrupted,
    )
  } finally {
    progress.end()
  }
}

/** Repeats a call while the server cannot be reached, up to 10 s apart from each other. */
export async function untilAnswered<T>(
  read: () => ReturnType<Client['call']> | Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return (await read()) as T
    } catch (error) {
      const isAway =
        error instanceof ApiError && (error.status === 0 || error.status >= 502) && error.kind !== 'aborted'
      if (!isAway || failures >= 20) throw error
      await wait(Math.min(10_000, 250 * 2 ** failures), undefined, { signal })
    }
  }
}
