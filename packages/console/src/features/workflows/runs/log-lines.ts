import type { StepLog, StepRun } from '@bey/contract'
import type { LogWindowLine } from '../../../ui/log-window.tsx'

/** A line as a log shows it. `names` are those of the steps by key; without them no step is named. */
export function shownLine(
  line: StepLog,
  before: StepLog | undefined,
  names: ReadonlyMap<string, string> | undefined,
): LogWindowLine {
  const isNewAttempt =
    before !== undefined && before.stepKey === line.stepKey && before.attempt < line.attempt
  return {
    id: String(line.seq),
    at: new Date(line.at),
    level: line.level,
    text: line.message,
    ...(names ? { source: names.get(line.stepKey) ?? line.stepKey } : {}),
    ...(isNewAttempt ? { rule: `Attempt ${line.attempt}` } : {}),
  }
}

/** Names of steps by their keys. */
export const namesOf = (steps: readonly StepRun[]): ReadonlyMap<string, string> =>
  new Map(steps.map(({ key, name }) => [key, name]))
