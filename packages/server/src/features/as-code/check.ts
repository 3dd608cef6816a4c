import { isDeepStrictEqual } from 'node:util'
import type { AsCodeDocument, AsCodeProblem } from '@bey/contract'
import { z } from 'zod'
import { issueText } from '../../platform/http/issue-text.ts'
import { type Kind, kinds } from './kinds.ts'
import type { Thing } from './things.ts'

type Given = { kind?: unknown; name?: unknown; spec?: unknown }
export type Checked = { index: number; kind: Kind; name: string; spec: Record<string, unknown> }

const object = z.record(z.string(), z.unknown())

/** What is wrong with documents whatever there is: unknown kinds and fields, missing names, the same thing twice. */
export function checkForm(documents: readonly Given[]): { checked: Checked[]; problems: AsCodeProblem[] } {
  const checked: Checked[] = []
  const problems: AsCodeProblem[] = []
  const seen = new Map<string, number>()
  for (const [index, given] of documents.entries()) {
    const found = formProblem(given)
    if (found) {
      problems.push({ document: index, ...found })
      continue
    }
    // The form was checked above.
    const {
      kind,
      name,
      spec = {},
    } = given as Omit<AsCodeDocument, 'spec'> & { spec?: Record<string, unknown> }
    const known = kinds.get(kind)
    if (!known) continue
    const key = `${kind} ${name}`
    const first = seen.get(key)
    if (first !== undefined) {
      const message = `${kind} "${name}" is document ${first + 1} already.`
      problems.push({ document: index, path: 'name', message })
      continue
    }
    seen.set(key, index)
    for (const field of Object.keys(spec).filter((each) => !known.fields.includes(each)))
      problems.push({ document: index, path: `spec.${field}`, message: unknownField(known, field) })
    checked.push({ index, kind: known, name, spec })
  }
  return { checked, problems }
}

function formProblem({ kind, name, spec }: Given): Omit<AsCodeProblem, 'document'> | undefined {
  if (typeof kind !== 'string' || !kinds.has(kind)) {
    const known = [...kinds.keys()].join(', ')
    const message =
      typeof kind === 'string' ? `There is no kind "${kind}". There are ${known}.` : `Name a kind: ${known}.`
    return { path: 'kind', message }
  }
  if (typeof name !== 'string' || name === '') return { path: 'name', message: `Name the ${kind}.` }
  if (spec !== undefined && !object.safeParse(spec).success)
    return { path: 'spec', message: 'A spec has fields: names with values.' }
  return undefined
}

function unknownField(kind: Kind, field: string): string {
  if (field === kind.rule.givenValue)
    return `A file holds no ${field} of a ${kind.kind}: it would be in every copy of the file. It is given when it is applied.`
  return `A ${kind.kind} has no field "${field}" here. There are ${kind.fields.join(', ')}.`
}

export type Difference = { path: string; before: unknown; after: unknown }

/** What a document changes of a thing: only the fields that it has. */
export function compare({ kind, spec }: Checked, thing: Thing): Difference[] {
  return Object.entries(normalized(kind, spec))
    .filter(([field, value]) => !isDeepStrictEqual(value ?? null, thing.spec[field] ?? null))
    .map(([field, after]) => ({ path: `spec.${field}`, before: thing.spec[field] ?? null, after }))
}

/** Fields as the contract reads them: texts trimmed, defaults within them filled in. */
function normalized(kind: Kind, spec: Record<string, unknown>): Record<string, unknown> {
  const shape = (kind.create ?? kind.update).shape
  return Object.fromEntries(
    Object.entries(spec).map(([field, value]) => {
      const schema = shape[field]
      const parsed = schema instanceof z.ZodType ? schema.safeParse(value) : undefined
      // What was parsed is JSON again: a field that is undefined is none.
      return [field, parsed?.success ? (JSON.parse(JSON.stringify(parsed.data ?? null)) as unknown) : value]
    }),
  )
}

/** What the contract says of the request that would create or change a thing. */
export function requestProblems(checked: Checked, thing: Thing | undefined): AsCodeProblem[] {
  const { kind, index } = checked
  const schema = thing ? kind.update : kind.create
  if (!schema) {
    const message = `There is no ${kind.kind} "${checked.name}", and a file cannot create one.`
    return [{ document: index, path: 'name', message }]
  }
  // Requests that change nothing are refused, and none is sent.
  if (thing && compare(checked, thing).length === 0) return []
  const body = thing ? updateBody(checked, thing) : createBody(checked, 'x')
  const parsed = schema.safeParse(body, { error: issueText })
  if (parsed.success) return []
  const { givenValue } = kind.rule
  return parsed.error.issues
    .filter(({ path }) => thing !== undefined || path[0] !== givenValue)
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map(({ path, message }) => ({
      document: index,
      path: path.length === 0 || path[0] === kind.nameField ? 'name' : ['spec', ...path].join('.'),
      message,
    }))
}

export function createBody(
  { kind, name, spec }: Checked,
  given: string | undefined,
): Record<string, unknown> {
  const { givenValue } = kind.rule
  return {
    [kind.nameField]: name,
    ...(kind.create && 'isPersonal' in kind.create.shape && { isPersonal: false }),
    ...(givenValue !== undefined && given !== undefined && { [givenValue]: given }),
    ...spec,
  }
}

/** Only what differs, or everything where an update replaces all; with the version that was read. */
export function updateBody(checked: Checked, thing: Thing): Record<string, unknown> {
  const { kind, name, spec } = checked
  const { version, replacesAll } = kind.rule
  const changed = new Set(compare(checked, thing).map(({ path }) => path.slice('spec.'.length)))
  return {
    ...(replacesAll
      ? { ...thing.spec, ...spec, [kind.nameField]: name }
      : Object.fromEntries(Object.entries(spec).filter(([field]) => changed.has(field)))),
    ...(version && { [version.sentAs]: thing.version }),
  }
}
