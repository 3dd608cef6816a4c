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
    ...linked(line.message),
    ...(names ? { source: names.get(line.stepKey) ?? line.stepKey } : {}),
    ...(isNewAttempt ? { rule: `Attempt ${line.attempt}` } : {}),
  }
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const runPath = new RegExp(` (/workflows/${uuid}/runs/(${uuid}))$`)

/** A line that ends with the path of a run leads there. */
function linked(message: string): Pick<LogWindowLine, 'text' | 'link'> {
  const [end, href, runId] = runPath.exec(message) ?? []
  if (end === undefined || href === undefined || runId === undefined) return { text: message }
  return { text: message.slice(0, -end.length), link: { href, text: `run ${runId.slice(-6)}` } }
}

/** Names of steps by their keys. */
export const namesOf = (steps: readonly StepRun[]): ReadonlyMap<string, string> =>
  new Map(steps.map(({ key, name }) => [key, name]))
