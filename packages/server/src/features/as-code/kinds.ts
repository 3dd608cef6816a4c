import { type AsCodeKind, asCodeKinds, type Endpoint, type EndpointName, resourceKindOf } from '@bey/contract'
import { api } from '@bey/contract/api'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'

/** A kind with what its endpoints take. */
export type Kind = AsCodeKind & {
  /** What a file may hold, in the order of the contract. */
  fields: readonly string[]
  nameField: string
  create: z.ZodObject | undefined
  update: z.ZodObject
  /** How a label marks it: a tag where the inventory lists the kind, else a mark of its own; undefined for what no file deletes. */
  labelledBy: 'tag' | 'mark' | undefined
}

/** Every kind, by how files write it. */
export const kinds: ReadonlyMap<string, Kind> = new Map(asCodeKinds.map((each) => [each.kind, kindOf(each)]))

function kindOf(each: AsCodeKind): Kind {
  const { rule } = each
  const create = rule.create === undefined ? undefined : bodyOf(rule.create)
  const update = bodyOf(rule.update)
  const nameField = rule.nameField ?? 'name'
  const left = new Set([nameField, rule.version?.sentAs, ...(rule.without ?? [])])
  return {
    ...each,
    nameField,
    create,
    update,
    fields: Object.keys((create ?? update).shape).filter((field) => !left.has(field)),
    labelledBy:
      resourceKindOf(each.kind) !== undefined ? 'tag' : rule.delete === undefined ? undefined : 'mark',
  }
}

export function requireKind(kind: string): Kind {
  const found = kinds.get(kind)
  if (found) return found
  throw new AppError('not_found', `There is no kind "${kind}". There are ${[...kinds.keys()].join(', ')}.`)
}

/** Throws where a descriptor names no endpoint that takes a body. */
function bodyOf(name: string): z.ZodObject {
  const { body }: Endpoint = api[endpointName(name)]
  if (body instanceof z.ZodObject) return body
  throw new TypeError(`${name} takes no body with fields.`)
}

/** Throws where the contract has no such endpoint: a mistake in a descriptor, found at the start. */
export function endpointName(name: string): EndpointName {
  if (!Object.hasOwn(api, name)) throw new TypeError(`The contract has no endpoint ${name}.`)
  return name as EndpointName
}
