import { momentText } from '../../../ui/time-text.ts'
import { ownersOf } from './field-owners.ts'
import type { FieldOwner, FieldPath } from './field-owners.ts'
import type { Free } from './text-problem.ts'
import { isFree } from './text-problem.ts'
import { yamlContext } from './yaml-context.ts'

/** The field on the line at an offset; of a line without a key, what holds it. */
export function pathAtLine(text: string, at: number): FieldPath {
  const end = text.indexOf('\n', at)
  const line = text.slice(at, end === -1 ? text.length : end)
  const key = /^\s*(?:-\s+)*(?:[^\s#:'"]+|"[^"]*"|'[^']*')(?=\s*:(\s|$))/.exec(line)?.[0]
  const context = yamlContext(text, at + (key ?? line).length)
  if (!context) return []
  return key === undefined ? context.parents : [...context.parents, context.key]
}

/** "limits.memory of container web": the end of a path, with the item that it belongs to. */
export function pathTitle(object: Free, path: FieldPath): string {
  let value: unknown = object
  let owner = ''
  let tail: string[] = []
  for (const [index, step] of path.entries()) {
    value = Array.isArray(value) ? value[Number(step)] : isFree(value) ? value[step] : undefined
    if (typeof step === 'string') tail.push(step)
    else if (isFree(value) && typeof value['name'] === 'string') {
      const list = path[index - 1]
      owner = `${typeof list === 'string' ? list.replace(/s$/, '') : 'item'} ${value['name']}`
      tail = []
    }
  }
  const field = tail.slice(-2).join('.')
  if (field === '') return owner || 'this object'
  return owner === '' ? field : `${field} of ${owner}`
}

/** "kubectl-edit, 14:29". */
export function ownerText(owner: FieldOwner | undefined): string {
  if (!owner) return 'somebody else'
  return owner.at === undefined ? owner.manager : `${owner.manager}, ${momentText(owner.at)}`
}

/** Who set the field on a line of the live object last. */
export function lineOwnerText(live: Free, text: string, at: number): string {
  return ownerText(ownersOf(live, pathAtLine(text, at))[0])
}
