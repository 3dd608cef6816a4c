import { setTimeout as wait } from 'node:timers/promises'
import { exitCodes } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'
import { findRun } from './find-run.ts'
import { untilAnswered } from './follow-run.ts'

const pollMs = 1000

/** Lines of a run by their numbers, so that none is lost or printed twice when the connection breaks. */
export async function runLogs({ session, args, values }: Call): Promise<number> {
  const { client, terminal, signal, flags } = session
  const params = await findRun(session, args)
  const format = formatOf(flags)
  const kept: unknown[] = []
  let after = 0
  for (;;) {
    // Asked before the lines: those of a run that had ended by then are all there.
    const { run } = await untilAnswered(() => client.call('workflows.run', { params }, { signal }), signal)
    for (;;) {
      const { logs } = await untilAnswered(
        () => client.call('workflows.runLogs', { params, query: { after, limit: 200 } }, { signal }),
        signal,
      )
      for (const line of logs) {
        if (format === 'table')
          terminal.out(`${line.at} ${line.level.padEnd(5)} ${line.stepKey ?? '-'}  ${line.message}\n`)
        else kept.push(line)
      }
      after = logs.at(-1)?.seq ?? after
      if (logs.length < 200) break
    }
    if (values['follow'] !== true || run.finishedAt !== null) break
    await wait(pollMs, undefined, { signal })
  }
  if (format !== 'table') printReply(terminal, { logs: kept }, flags, { list: 'logs', columns: [] })
  return exitCodes.ok
}
