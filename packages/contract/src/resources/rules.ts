import { objectOfResourceId, partResourceKinds, resourceKinds } from './kinds.ts'
import { entityTypes, isIdOf, isUuid } from '../base/entity-table.ts'

/** Bounds of what people write about resources. */
export const resourceLimits = {
  /** Resources that one act tags or gives to an owner. */
  atOnce: 500,
  tags: 20,
  tagLength: 100,
  /** Resources of an organization that have tags or an owner. */
  tagged: 50_000,
  views: 200,
  viewName: 60,
  /** Rows of a file. */
  exported: 100_000,
  idLength: 400,
  completions: 20,
} as const

export const resourceTagRule =
  'A tag begins with a letter or digit and goes on with letters, digits and . _ / -; it may have a value after an equals sign: team=shop.'

/** Whether a text can be a tag: `blue`, or `team=shop`; at most `tagLength` characters. */
export function isResourceTag(text: string): boolean {
  return (
    text.length <= resourceLimits.tagLength &&
    /^[\p{L}\p{N}][\p{L}\p{N}._/-]*(=[\p{L}\p{N}._/-]*)?$/u.test(text)
  )
}

/** Whether a text can be the id of a resource at all. */
export function isResourceId(id: string): boolean {
  if (id.length > resourceLimits.idLength) return false
  if (objectOfResourceId(id)) return true
  const at = id.indexOf(':')
  const kind = id.slice(0, at)
  if (Object.values(partResourceKinds).some((each) => each.kind === kind)) return isUuid(id.slice(at + 1))
  const type = entityTypes.find((each) => each.toLowerCase() === kind.replaceAll('-', ''))
  return (
    type !== undefined && resourceKinds.some((each) => each.kind === kind) && isIdOf(type, id.slice(at + 1))
  )
}
