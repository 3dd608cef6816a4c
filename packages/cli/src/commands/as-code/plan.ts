import type { AsCodeChange } from '@bey/contract'
import { UsageError } from '../../errors.ts'
import type { Session } from '../../session.ts'
import type { Terminal } from '../../terminal.ts'
import { readDocuments, type FileDocument, type FileProblem } from './documents.ts'

export type Plan = { documents: FileDocument[]; changes: AsCodeChange[]; problems: FileProblem[] }
export type PlanOptions = { files: readonly string[]; label: string | undefined; prune: boolean }

/** The flags of commands that plan. Throws UsageError. */
export function planOptions(values: Readonly<Record<string, unknown>>): PlanOptions {
  const files = Array.isArray(values['file']) ? values['file'].map(String) : []
  const label = typeof values['label'] === 'string' ? values['label'] : undefined
  const prune = values['prune'] === true
  if (files.length === 0)
    throw new UsageError('Name what to read: -f file.yaml, -f directory, or -f - for standard input.')
  if (prune && label === undefined)
    throw new UsageError('--prune deletes what has the label of --label and is in no file. Add --label.')
  return { files, label, prune }
}

/** Reads the files and asks the server what they change. */
export async function makePlan({ client, terminal, signal }: Session, options: PlanOptions): Promise<Plan> {
  const { documents, problems } = await readDocuments(options.files, terminal)
  if (documents.length === 0 && problems.length === 0) throw new UsageError('The files hold no documents.')
  if (documents.length === 0) return { documents, changes: [], problems }
  const values = documents.map(({ value }) => (typeof value === 'object' && value !== null ? value : {}))
  const reply = await client.call(
    'asCode.plan',
    {
      body: {
        documents: values,
        prune: options.prune,
        ...(options.label !== undefined && { label: options.label }),
      },
    },
    { signal },
  )
  const found = reply.problems.flatMap(({ document, path, message }): FileProblem[] => {
    const at = documents[document]
    return at ? [{ file: at.file, line: at.lineOf(path), path, message }] : []
  })
  const all = [...problems, ...found].toSorted(
    (one, other) => one.file.localeCompare(other.file) || one.line - other.line,
  )
  return { documents, changes: all.length > 0 ? [] : reply.changes, problems: all }
}

export function problemsText({ problems, documents }: Plan): string {
  const lines = problems.map(
    ({ file, line, path, message }) => `${file}:${line}: ${path === '' ? '' : `${path}: `}${message}`,
  )
  const count = problems.length === 1 ? '1 error' : `${problems.length} errors`
  const of = documents.length === 1 ? '1 document' : `${documents.length} documents`
  return [...lines, `Nothing was applied: ${count} in ${of}.`].join('\n')
}

const marks = { create: '+', update: '~', label: '~', delete: '-', none: ' ' } as const
const colors = { create: 32, update: 33, label: 33, delete: 31, none: 0 } as const
const done = { create: 'create', update: 'change', label: 'label', delete: 'delete' } as const

/** What would change, a line each, with the fields that differ, and the count. */
export function planText(changes: readonly AsCodeChange[], { hasColor }: Pick<Terminal, 'hasColor'>): string {
  const shown = changes.filter(({ action }) => action !== 'none')
  const lines = shown.flatMap(({ action, kind, name, differences }) => [
    paint(`${marks[action]} ${action} ${kind} ${printable(name)}`, colors[action], hasColor),
    ...(action === 'update'
      ? differences.map(({ path, before, after }) => `    ${path}: ${short(before)} → ${short(after)}`)
      : []),
  ])
  return [...lines, countText(changes)].join('\n')
}

function countText(changes: readonly AsCodeChange[]): string {
  const count = (action: AsCodeChange['action']) => changes.filter((each) => each.action === action).length
  const parts = (['create', 'update', 'label', 'delete'] as const)
    .filter((action) => count(action) > 0)
    .map((action) => `${count(action)} to ${done[action]}`)
  const same = count('none')
  if (parts.length === 0) return `Everything is as the files say: ${same} unchanged.`
  return `${parts.join(', ')}, ${same} unchanged.`
}

function paint(text: string, color: number, hasColor: boolean): string {
  return hasColor && color !== 0 ? `\u001b[${color}m${text}\u001b[0m` : text
}

const longest = 200

function short(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Terminals obey control characters, and names are chosen by others. */
function printable(name: string): string {
  const text = JSON.stringify(name)
  return text === `"${name}"` && !/["\s]/.test(name) ? name : text
}
