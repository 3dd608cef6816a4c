import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type Client } from '@bey/client'
import { exitCodes, UsageError } from '../errors.ts'
import { spanOf } from '../output/table.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'
import { findRun } from './find-run.ts'

const pollMs = 1000

/** Follows a run to its end. A server that restarts meanwhile is waited for. */
export async function watchRun({ session, args, values }: Call): Promise<number> {
  const { client, terminal, signal, flags } = session
  const timeoutMs = values['timeout'] === undefined ? Infinity : Number(values['timeout']) * 1000
  if (Number.isNaN(timeoutMs)) throw new UsageError('--timeout takes a number of seconds.')
  const params = await findRun(session, args)
  const endsAt = performance.now() + timeoutMs
  let shown = ''
  for (;;) {
    const reply = await untilAnswered(() => client.call('workflows.run', { params }, { signal }), signal)
    const { run } = reply
    const spent =
      run.startedAt === null
        ? ''
        : ` ${spanOf(Date.parse(run.finishedAt ?? new Date().toISOString()) - Date.parse(run.startedAt))}`
    const text = `${run.workflowName}: ${run.status}, ${Math.round(run.progressPercent)} %`
    if (run.finishedAt !== null) {
      if (formatOf(flags) === 'table') {
        const mark = run.status === 'completed' ? '✓' : '✗'
        terminal.out(`${mark} ${run.workflowName} ${run.status}${spent}\n`)
        if (run.error)
          terminal.out(`  ${run.error.stepKey ? `${run.error.stepKey}: ` : ''}${run.error.message}\n`)
      } else printReply(terminal, run, flags, { columns: [] })
      return values['exit-status'] === true && run.status !== 'completed' ? exitCodes.error : exitCodes.ok
    }
    if (performance.now() >= endsAt) {
      if (formatOf(flags) === 'table') terminal.out(`${text}; still running\n`)
      else printReply(terminal, run, flags, { columns: [] })
      return exitCodes.running
    }
    if (text !== shown) terminal.note(`${text}\n`)
    shown = text
    await wait(Math.min(pollMs, Math.max(0, endsAt - performance.now())), undefined, { signal })
  }
}

/** Repeats a read while the server cannot be reached, up to a minute apart from each other. */
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
