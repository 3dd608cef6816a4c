import type { AsCodeChange, AsCodeProblem, ParsedInput } from '@bey/contract'
import { asCodeLimits } from '@bey/contract'
import type { Call } from './call.ts'
import { type Checked, checkForm, compare, requestProblems } from './check.ts'
import { type Kind, kinds } from './kinds.ts'
import { labelled } from './labels.ts'
import type { Marks } from './marks.ts'
import { findThings, noRevision, rowsOf, type Thing, thingOf } from './things.ts'

type Plan = { changes: AsCodeChange[]; problems: AsCodeProblem[] }

/** Compares documents with what there is. Reads as the caller; changes nothing. */
export async function plan(
  call: Call,
  marks: Marks,
  { documents, label, prune }: ParsedInput<'asCode.plan'>['body'],
): Promise<Plan> {
  const { checked, problems } = checkForm(documents)
  const withLabel = label === undefined ? new Set<string>() : await labelled(call, marks, label)
  const changes: AsCodeChange[] = []
  const documentsOf = Map.groupBy(checked, ({ kind }) => kind)
  for (const [kind, ofKind] of documentsOf) {
    const things = await findThings(call, kind, new Set(ofKind.map(({ name }) => name)))
    for (const each of ofKind) {
      const thing = things.get(each.name)
      problems.push(...requestProblems(each, thing), ...fixedProblems(each, thing))
      changes.push(changeOf(each, thing, label !== undefined && !isLabelled(kind, thing, withLabel)))
    }
  }
  if (prune) {
    for (const kind of kinds.values())
      changes.push(
        ...(await pruned(call, kind, new Set(documentsOf.get(kind)?.map(({ name }) => name)), withLabel)),
      )
  }
  const sorted = problems
    .toSorted((one, other) => one.document - other.document)
    .slice(0, asCodeLimits.problems)
  return { changes: sorted.length > 0 ? [] : inOrder(changes), problems: sorted }
}

function isLabelled(kind: Kind, thing: Thing | undefined, withLabel: ReadonlySet<string>): boolean {
  return kind.labelledBy === undefined || (thing !== undefined && withLabel.has(`${kind.kind}:${thing.id}`))
}

function changeOf(checked: Checked, thing: Thing | undefined, isToLabel: boolean): AsCodeChange {
  const { index, kind, name, spec } = checked
  const differences = thing
    ? compare(checked, thing)
    : Object.entries(spec).map(([field, after]) => ({ path: `spec.${field}`, before: null, after }))
  const action = !thing ? 'create' : differences.length > 0 ? 'update' : isToLabel ? 'label' : 'none'
  return {
    document: index,
    kind: kind.kind,
    name,
    action,
    differences: differences.slice(0, asCodeLimits.differences),
    revision: thing?.revision ?? noRevision,
    needs: thing ? null : (kind.rule.givenValue ?? null),
  }
}

function fixedProblems(checked: Checked, thing: Thing | undefined): AsCodeProblem[] {
  if (!thing) return []
  const fixed = new Set(checked.kind.rule.fixed?.map((field) => `spec.${field}`))
  return compare(checked, thing)
    .filter(({ path }) => fixed.has(path))
    .map(({ path }) => ({
      document: checked.index,
      path,
      message: `${path.slice('spec.'.length)} of the ${checked.kind.kind} "${checked.name}" cannot be changed any more. Give the new one another name, and delete the old one.`,
    }))
}

/** What carries the label and is in no document. */
async function pruned(
  call: Call,
  kind: Kind,
  names: ReadonlySet<string>,
  withLabel: ReadonlySet<string>,
): Promise<AsCodeChange[]> {
  const found: AsCodeChange[] = []
  const isMarked = [...withLabel].some((id) => id.startsWith(`${kind.kind}:`))
  if (!isMarked || kind.rule.delete === undefined) return found
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const read = await rowsOf(call, kind, page)
    hasMore = read.hasMore
    for (const row of read.rows) {
      if (names.has(String(row[kind.nameField])) || !withLabel.has(`${kind.kind}:${String(row['id'])}`))
        continue
      const { name, revision } = await thingOf(call, kind, row)
      found.push({
        document: null,
        kind: kind.kind,
        name,
        action: 'delete',
        differences: [],
        revision,
        needs: null,
      })
    }
  }
  return found
}

/** In the order of the documents, and what is deleted last. */
function inOrder(changes: readonly AsCodeChange[]): AsCodeChange[] {
  const position = ({ document }: AsCodeChange) => document ?? Infinity
  return changes.toSorted((one, other) => position(one) - position(other))
}
