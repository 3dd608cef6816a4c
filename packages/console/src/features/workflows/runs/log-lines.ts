import type { StepLog, StepRun } from '@bey/contract'
import type { LogWindowText } from '../../../ui/log-window-line.tsx'

/** A line as a log shows it. `names` are those of the steps by key; without them no step is named. */
export function shownLine(
  line: StepLog,
  before: StepLog | undefined,
  names: ReadonlyMap<string, string> | undefined,
): LogWindowText {
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

/** The same, once for each line: a line that was shown is the same object the next time. */
export function createShownLines(names: ReadonlyMap<string, string>) {
  const shown = new WeakMap<StepLog, { before: StepLog | undefined; text: LogWindowText }>()
  return (line: StepLog, before: StepLog | undefined): LogWindowText => {
    const known = shown.get(line)
    // The line before may have been read later.
    if (known && known.before === before) return known.text
    const text = shownLine(line, before, names)
    shown.set(line, { before, text })
    return text
  }
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const runPath = new RegExp(` (/workflows/${uuid}/runs/(${uuid}))$`)

/** A line that ends with the path of a run leads there. */
function linked(message: string): Pick<LogWindowText, 'text' | 'link'> {
  const [end, href, runId] = runPath.exec(message) ?? []
  if (end === undefined || href === undefined || runId === undefined) return { text: message }
  return { text: message.slice(0, -end.length), link: { href, text: `run ${runId.slice(-6)}` } }
}

/** Names of steps by their keys. */
export const namesOf = (steps: readonly StepRun[]): ReadonlyMap<string, string> =>
  new Map(steps.map(({ key, name }) => [key, name]))
