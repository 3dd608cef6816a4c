import { type Execution, record, withLockedRun } from './execution.ts'
import { readOpenSteps } from '../runs/store.ts'
import { moveThrough, unchanged } from './run-change.ts'

/** Records that a run waits, with what its first waiting step waits for. */
export async function markWaiting(x: Execution): Promise<void> {
  await withLockedRun(x, [], async (db, run) => {
    if (run.status !== 'running' || x.busy() > 0) return
    const open = await readOpenSteps(db, run.id)
    const step = open.find((each) => each.status === 'waiting' || each.status === 'retry_wait')
    if (step === undefined) return
    const kind = step.status === 'retry_wait' ? 'retry' : step.type
    const until = step.nextAt?.toISOString() ?? null
    const waiting = { kind, text: waitingText(kind, step.name), until }
    await record(x, db, run, {
      ...unchanged(run),
      status: moveThrough(run.status, 'waiting'),
      waiting,
      current: step,
    })
  })
}

function waitingText(kind: string, name: string): string {
  switch (kind) {
    case 'retry':
      return `Tries "${name}" again.`
    case 'approval':
      return `Waits for an approval: ${name}.`
    case 'wait_event':
      return `Waits for an event: ${name}.`
    case 'subworkflow':
      return `Waits for another workflow: ${name}.`
    default:
      return `Waits: ${name}.`
  }
}
