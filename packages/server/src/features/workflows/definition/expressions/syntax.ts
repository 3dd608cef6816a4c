import type { ASTNode } from '@marcbachmann/cel-js'

const macros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** A node as it is walked: the parts of it that are nodes depend on its operator. */
export type Node = { op: string; args: unknown; start?: number; end?: number; pos?: number }

/** Names of the variables that an expression reads, without those that its macros bind. */
export function rootsOf(ast: ASTNode): ReadonlySet<string> {
  return new Set(rootNodesOf(ast).keys())
}

/** The same with the first node that reads each. */
export function rootNodesOf(ast: ASTNode): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  walk(ast, new Set(), (node) => {
    const name = String(node.args)
    if (node.op === 'id' && !found.has(name)) found.set(name, node)
  })
  return found
}

/**
 * Members of a variable that an expression reads by their names: `steps.build` and `steps["build"]` both read `build`.
 * `isWhole`: the variable is also read as a whole, so that any of its members may matter.
 */
export function membersOf(ast: ASTNode, variable: string): { names: ReadonlySet<string>; isWhole: boolean } {
  const names = new Set<string>()
  let reads = 0
  let named = 0
  walk(ast, new Set(), (node) => {
    if (node.op === 'id' && node.args === variable) reads += 1
    const name = memberName(node, variable)
    if (name === undefined) return
    named += 1
    names.add(name)
  })
  return { names, isWhole: reads > named }
}

/** Makes every call of a method below a node call another one. */
export function replaceCalls(ast: ASTNode, from: string, to: string): void {
  for (const node of nodesBelow(ast)) {
    if (node.op === 'rcall' && Array.isArray(node.args) && node.args[0] === from) node.args[0] = to
  }
}

function memberName({ op, args }: Node, variable: string): string | undefined {
  if (!['.', '.?', '[]', '[?]'].includes(op) || !Array.isArray(args)) return undefined
  const [left, right] = args as unknown[]
  if (!isNode(left) || left.op !== 'id' || left.args !== variable) return undefined
  return literalName(right)
}

/** The name of a member as an expression writes it: `.name` or `["name"]`. */
export function literalName(right: unknown): string | undefined {
  if (typeof right === 'string') return right
  return isNode(right) && right.op === 'value' && typeof right.args === 'string' ? right.args : undefined
}

/** Every node that can read a variable; what a macro binds is no variable within it. */
function walk(node: unknown, bound: ReadonlySet<string>, visit: (node: Node) => void): void {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, bound, visit))
  if (!isNode(node)) return
  const macro = macroOf(node)
  if (macro !== undefined) {
    walk(macro.outside, bound, visit)
    walk(macro.inside, new Set([...bound, macro.variable]), visit)
    return
  }
  if (node.op === 'id' && (bound.has(String(node.args)) || node.args === 'cel')) return
  const left = Array.isArray(node.args) ? (node.args as unknown[])[0] : undefined
  if (isNode(left) && left.op === 'id' && bound.has(String(left.args))) {
    return walk((node.args as unknown[]).slice(1), bound, visit)
  }
  visit(node)
  if (typeof node.args === 'object') walk(node.args, bound, visit)
}

/** A macro that binds a variable: what it evaluates without it, and within its reach. */
export function macroOf({
  op,
  args,
}: Node): { variable: string; outside: unknown[]; inside: unknown[] } | undefined {
  if (op !== 'rcall' || !Array.isArray(args)) return undefined
  const [name, receiver, given] = args as unknown[]
  if (!Array.isArray(given)) return undefined
  const [first, ...rest] = given as unknown[]
  if (!isNode(first) || first.op !== 'id') return undefined
  const variable = String(first.args)
  if (macros.has(String(name))) return { variable, outside: [receiver], inside: rest }
  const isBind = name === 'bind' && isNode(receiver) && receiver.op === 'id' && receiver.args === 'cel'
  return isBind ? { variable, outside: rest.slice(0, 1), inside: rest.slice(1) } : undefined
}

/** A node with all nodes within it. */
export function* nodesBelow(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const each of node) yield* nodesBelow(each)
  if (!isNode(node)) return
  yield node
  if (typeof node.args === 'object') yield* nodesBelow(node.args)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}
