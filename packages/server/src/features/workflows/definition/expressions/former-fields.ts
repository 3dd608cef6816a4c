import { triggerEventNames, triggerEventTable } from '@bey/contract'
import type { ASTNode } from '@marcbachmann/cel-js'

import { isNode, type Node, nodesBelow } from './syntax.ts'

/** Fields of events by the camel-case names that they had before they were snake case. */
const formerNames: ReadonlyMap<string, string> = new Map(
  triggerEventNames
    .flatMap((name): readonly string[] => triggerEventTable[name].fields)
    .map((field) => [field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), field]),
)

const written = new WeakMap<object, string>()

/**
 * Makes an expression read the fields of events by their present names. Definitions and triggers that were stored with the
 * former names keep running; checking them names the present ones.
 */
export function renameFormerFields(ast: ASTNode): void {
  for (const node of nodesBelow(ast)) {
    const args = node.args
    if (!['.', '.?'].includes(node.op) || !Array.isArray(args) || typeof args[1] !== 'string') continue
    const name = formerNames.get(args[1])
    if (name === undefined || name === args[1] || !isEvent(args[0])) continue
    written.set(node, args[1])
    args[1] = name
  }
}

/** The name that a node had before it was renamed. */
export function formerName(node: object): string | undefined {
  return written.get(node)
}

/** `event`, or `steps.<key>.output.event`. */
function isEvent(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.op === 'id') return node.args === 'event'
  const output = ownerOf(node, 'event')
  const step = output && ownerOf(output, 'output')
  const steps = step && Array.isArray(step.args) ? (step.args as unknown[])[0] : undefined
  return isNode(steps) && steps.op === 'id' && steps.args === 'steps'
}

function ownerOf({ op, args }: Node, member: string): Node | undefined {
  if (!['.', '.?'].includes(op) || !Array.isArray(args) || args[1] !== member) return undefined
  const [owner] = args as unknown[]
  return isNode(owner) ? owner : undefined
}
