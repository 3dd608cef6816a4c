import type { ParsedInput } from '@bey/contract'
import { api } from '@bey/contract/api'
import type { Access } from '@bey/contract/base/endpoint'
import { AppError } from '../../platform/errors.ts'
import { type Rights, whyNot } from '../../platform/keys/key-rights.ts'
import type { Call } from './call.ts'
import { type Checked, checkForm, createBody, updateBody } from './check.ts'
import { endpointName, type Kind, requireKind } from './kinds.ts'
import type { Marks } from './marks.ts'
import { findThings, noRevision, type Thing } from './things.ts'

type Body = ParsedInput<'asCode.apply'>['body']
type Applied = { shownOnce: { name: string; value: string } | null }

/** Applies one change through the endpoint of its kind. Throws AppError `conflict` where the thing changed since the plan. */
export async function apply(call: Call, marks: Marks, body: Body, rights: Rights): Promise<Applied> {
  const kind = requireKind(body.kind)
  requireRight(kind, body.action, rights)
  const { checked, problems } = checkForm([body])
  const [document] = checked
  if (!document || problems.length > 0)
    throw new AppError('invalid_request', problems.map(({ message }) => message).join(' '), {
      errors: problems.map(({ path, message }) => ({ path, message })),
    })
  const thing = (await findThings(call, kind, new Set([body.name]))).get(body.name)
  if ((thing?.revision ?? noRevision) !== body.revision)
    throw new AppError(
      'conflict',
      `The ${kind.kind} "${body.name}" ${thing ? (body.revision === noRevision ? 'was created' : 'was changed') : 'was deleted'} since the plan was made. Plan again.`,
    )
  const applied = await change(call, document, thing, body)
  if (body.label !== undefined && body.action !== 'delete')
    await addLabel(call, marks, document, applied.id, body.label)
  return { shownOnce: applied.shownOnce }
}

/** The endpoint asks for the same: before it, a reader alone would learn what is there and what is not. */
function requireRight({ rule, labelledBy }: Kind, action: Body['action'], rights: Rights): void {
  const labels = labelledBy === 'tag' ? 'resources.tag' : rule.update
  const name = action === 'label' ? labels : rule[action]
  const access: Access = name === undefined ? 'user' : api[endpointName(name)].access
  const reason = access === 'user' || access === 'public' ? undefined : whyNot(rights, access)
  if (reason !== undefined) throw new AppError('forbidden', reason)
}

async function change(call: Call, document: Checked, thing: Thing | undefined, { action, given }: Body) {
  const { kind, name } = document
  const { rule } = kind
  const nothing = { id: thing?.id, shownOnce: null }
  if (!thing) {
    if (action !== 'create' || rule.create === undefined)
      throw new AppError('not_found', `There is no ${kind.kind} "${name}".`)
    const reply = await call(endpointName(rule.create), { body: createBody(document, given) })
    return { id: idIn(reply), shownOnce: shownOnce(kind, reply) }
  }
  const params = { id: thing.id }
  if (action === 'delete' && rule.delete !== undefined) await call(endpointName(rule.delete), { params })
  else if (action === 'update')
    await call(endpointName(rule.update), { params, body: updateBody(document, thing) })
  return nothing
}

/** Replies to creating are the thing, or hold it beside what is shown once. */
function idIn(reply: Record<string, unknown>): string | number | undefined {
  const inner = [reply, ...Object.values(reply)].find(
    (value): value is { id: string | number } => typeof value === 'object' && value !== null && 'id' in value,
  )
  return inner?.id
}

function shownOnce({ rule }: Kind, reply: Record<string, unknown>): Applied['shownOnce'] {
  if (rule.shownOnce === undefined) return null
  return { name: rule.shownOnce, value: String(reply[rule.shownOnce]) }
}

async function addLabel(
  call: Call,
  marks: Marks,
  { kind, name }: Checked,
  id: string | number | undefined,
  label: string,
): Promise<void> {
  if (kind.labelledBy === undefined) return
  const found = id ?? (await findThings(call, kind, new Set([name]))).get(name)?.id
  if (kind.labelledBy === 'tag')
    await call('resources.tag', { body: { ids: [`${kind.kind}:${found}`], add: [label] } })
  else if (found !== undefined) await marks.add(kind, found, label)
}
