import { readFileSync } from 'node:fs'
import { ApiError } from '@bey/client'
import type { AsCodeChange } from '@bey/contract'
import { CommandError, exitCodes, UsageError } from '../../errors.ts'
import { type Failure, failureOf } from '../../failure.ts'
import { formatOf, printReply } from '../../output/print.ts'
import type { Session } from '../../session.ts'
import type { Call } from '../hand-made.ts'
import { makePlan, planOptions, planText, problemsText, type Plan, type PlanOptions } from './plan.ts'

type Done = Pick<AsCodeChange, 'action' | 'kind' | 'name'> & { shownOnce?: { name: string; value: string } }

/** Makes what there is as the files say: shows the plan, asks, and applies it change by change. */
export async function applyFiles(call: Call): Promise<number> {
  const { session, values } = call
  if (values['check'] === true) return diffFiles(call)
  const options = planOptions(values)
  const plan = await makePlan(session, options)
  if (plan.problems.length > 0) return refused(session, plan)
  const { terminal, flags } = session
  const isTable = formatOf(flags) === 'table'
  const changes = plan.changes.filter(({ action }) => action !== 'none')
  // Beside JSON the plan is for people, and for them alone.
  if (isTable) terminal.out(`${planText(plan.changes, terminal)}\n`)
  else if (terminal.isInteractive) terminal.note(`${planText(plan.changes, terminal)}\n`)
  const given = await givenValues(session, values, changes)
  if (changes.length > 0) await confirm(session, changes)
  terminal.isChanging = true
  const applied = await applyAll(session, plan, { ...options, given })
  terminal.isChanging = false
  if (!isTable) printReply(terminal, { changes: plan.changes, applied, problems: [] }, flags, { columns: [] })
  else if (changes.length > 0) terminal.out(`Applied ${applied.length} of ${changes.length}.\n`)
  return exitCodes.ok
}

/** Says what differs from the files. Ends with 8 where something does, for pipelines. */
export async function diffFiles({ session, values }: Call): Promise<number> {
  const plan = await makePlan(session, planOptions(values))
  if (plan.problems.length > 0) return refused(session, plan)
  const { terminal, flags } = session
  if (formatOf(flags) === 'table') terminal.out(`${planText(plan.changes, terminal)}\n`)
  else printReply(terminal, { changes: plan.changes, problems: [] }, flags, { columns: [] })
  return plan.changes.every(({ action }) => action === 'none') ? exitCodes.ok : exitCodes.running
}

function refused({ terminal, flags }: Session, plan: Plan): number {
  if (formatOf(flags) !== 'table')
    printReply(terminal, { changes: [], applied: [], problems: plan.problems }, flags, { columns: [] })
  terminal.note(`${problemsText(plan)}\n`)
  return exitCodes.error
}

/** What no file holds, by the kind and name of what needs it: `--value name=@file`, or a question. */
async function givenValues(
  session: Session,
  values: Call['values'],
  changes: readonly AsCodeChange[],
): Promise<Map<string, string>> {
  const { terminal } = session
  const asked = Array.isArray(values['value']) ? values['value'].map(String) : []
  const byName = new Map<string, string>()
  for (const each of asked) {
    const at = each.indexOf('=@')
    if (at <= 0) throw new UsageError('--value takes a name and a file: --value orders-db=@password.txt')
    byName.set(each.slice(0, at), await fileText(each.slice(at + 2), session))
  }
  const given = new Map<string, string>()
  const missing: string[] = []
  for (const { kind, name, needs } of changes) {
    if (needs === null) continue
    const value = byName.get(name)
    if (value !== undefined) given.set(`${kind} ${name}`, value)
    else if (terminal.isInteractive)
      given.set(`${kind} ${name}`, await terminal.ask(`The ${needs} of the new ${kind} "${name}": `, true))
    else
      missing.push(
        `The new ${kind} "${name}" needs a ${needs}, which no file holds: add --value ${name}=@file.`,
      )
  }
  if (missing.length > 0) throw new UsageError([...missing, 'Nothing was applied.'].join('\n'))
  return given
}

async function fileText(path: string, { terminal }: Session): Promise<string> {
  if (path === '-') return (await terminal.readInput()).replace(/\r?\n$/, '')
  try {
    // Editors end files with a line break, which is no part of a password.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new UsageError(`${path} cannot be read.`, { cause })
  }
}

async function confirm({ flags, terminal }: Session, changes: readonly AsCodeChange[]): Promise<void> {
  if (flags.yes) return
  const deleted = changes.filter(({ action }) => action === 'delete').length
  if (!terminal.isInteractive) {
    if (deleted > 0)
      throw new UsageError(`${deleted} would be deleted. Add --yes to do it without a question.`)
    return
  }
  const answer = await terminal.ask('Apply this? Type yes to go on: ')
  if (answer.trim() !== 'yes') throw new UsageError('Nothing was applied.')
}

/** Throws CommandError with what was applied and what was not, where it cannot go on. */
async function applyAll(
  { client, terminal, signal, flags, target }: Session,
  { documents, changes }: Plan,
  { label, given }: PlanOptions & { given: ReadonlyMap<string, string> },
): Promise<Done[]> {
  const todo = changes.filter(({ action }) => action !== 'none')
  const applied: Done[] = []
  for (const change of todo) {
    const { action, kind, name, revision, document } = change
    if (action === 'none') continue
    if (signal.aborted) throw stopped(todo, applied, undefined)
    const value = given.get(`${kind} ${name}`)
    try {
      // Not ended by Ctrl+C: what is under way is finished, so that its outcome is known.
      const reply = await client.call('asCode.apply', {
        body: {
          action,
          kind,
          name,
          revision,
          spec: specOf(documents[document ?? -1]?.value),
          ...(label !== undefined && { label }),
          ...(value !== undefined && { given: value }),
        },
      })
      const { shownOnce } = reply
      applied.push({ action, kind, name, ...(shownOnce && { shownOnce }) })
      if (shownOnce && formatOf(flags) === 'table')
        terminal.out(`${kind} ${name}: ${shownOnce.name} ${shownOnce.value} (shown this once)\n`)
    } catch (error) {
      throw stopped(todo, applied, { ...failureOf(error, target.url), hadNoAnswer: hadNoAnswer(error) })
    }
  }
  return applied
}

function specOf(value: unknown): Record<string, unknown> {
  const hasSpec = typeof value === 'object' && value !== null && 'spec' in value
  // The server checked it when it planned, and checks it again.
  return hasSpec ? ((value.spec ?? {}) as Record<string, unknown>) : {}
}

const hadNoAnswer = (error: unknown) => error instanceof ApiError && error.status === 0

/** `failure` undefined: Ctrl+C. */
function stopped(
  todo: readonly AsCodeChange[],
  applied: readonly Done[],
  failure: (Failure & { hadNoAnswer: boolean }) | undefined,
): CommandError {
  const lineOf = ({ action, kind, name }: Done) => `  ${action} ${kind} ${name}`
  const [at, ...others] = todo.slice(applied.length)
  const left = failure || !at ? others : [at, ...others]
  const lines = [
    failure ? failure.message : 'Interrupted.',
    applied.length === 0 ? 'Applied: nothing.' : `Applied (${applied.length} of ${todo.length}):`,
    ...applied.map(lineOf),
    ...(failure && at
      ? [failure.hadNoAnswer ? 'Without an answer, so it may have been applied:' : 'Refused:', lineOf(at)]
      : []),
    ...(left.length > 0 ? ['Not applied:', ...left.map(lineOf)] : []),
    'Run the same command again: it goes on with what is left.',
  ]
  return new CommandError(lines.join('\n'), failure?.exitCode ?? exitCodes.interrupted)
}
