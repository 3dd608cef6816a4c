import { exitCodes } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import { spanOf } from '../output/table.ts'
import { findRun } from './find-run.ts'
import { followRun } from './follow-run.ts'
import type { Call } from './hand-made.ts'

/** Follows a run to its end and prints how it ended. */
export async function watchRun({ session, args, values }: Call): Promise<number> {
  const { terminal, flags } = session
  const { run, hasEnded } = await followRun(session, await findRun(session, args), values['timeout'])
  if (formatOf(flags) !== 'table') printReply(terminal, run, flags, { columns: [] })
  else if (hasEnded) {
    const { workflowName, status, startedAt, finishedAt, error } = run
    const spent = startedAt && finishedAt ? ` ${spanOf(Date.parse(finishedAt) - Date.parse(startedAt))}` : ''
    terminal.out(`${status === 'completed' ? '✓' : '✗'} ${workflowName} ${status}${spent}\n`)
    if (error) terminal.out(`  ${error.stepKey ? `${error.stepKey}: ` : ''}${error.message}\n`)
  } else {
    terminal.out(`${run.workflowName}: ${run.status}, ${Math.round(run.progressPercent)} %; still running\n`)
  }
  if (!hasEnded) return exitCodes.running
  return values['exit-status'] === true && run.status !== 'completed' ? exitCodes.error : exitCodes.ok
}
