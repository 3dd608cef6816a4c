import { nearestWord } from '@bey/contract'
import type { ASTNode } from '@marcbachmann/cel-js'

import { formerName } from './former-fields.ts'
import { isNode, literalName, macroOf, type Node } from './syntax.ts'
import { anyMember, memberSchema, type ValueSchema } from './value-schema.ts'

/** A member that its owner cannot have. `isOptional`: the expression itself reckons with that (`has`, `.?`). */
export type UnknownMember = { message: string; start: number; end: number; isOptional: boolean }

type Known = ReadonlyMap<string, ValueSchema | undefined>

/** Members that an expression reads although what is known of its variables says that they are not there. */
export function unknownMembers(
  ast: ASTNode,
  source: string,
  variables: Readonly<Record<string, ValueSchema>>,
): UnknownMember[] {
  return inspect(ast, source, variables).unknown
}

/** What is known of the value of an expression. */
export function resultSchema(
  ast: ASTNode,
  source: string,
  variables: Readonly<Record<string, ValueSchema>>,
): ValueSchema | undefined {
  return inspect(ast, source, variables).result
}

function inspect(ast: ASTNode, source: string, variables: Readonly<Record<string, ValueSchema>>) {
  const found: UnknownMember[] = []
  const result = schemaOf(ast, new Map(Object.entries(variables)), false)
  return { unknown: found, result }

  /** What is known of the value of a node. */
  function schemaOf(node: unknown, known: Known, isOptional: boolean): ValueSchema | undefined {
    if (Array.isArray(node)) {
      for (const each of node) schemaOf(each, known, isOptional)
      return undefined
    }
    if (!isNode(node)) return undefined
    if (node.op === 'id') return known.get(String(node.args))
    if (['.', '.?', '[]', '[?]'].includes(node.op)) return ofMember(node, known, isOptional)
    const macro = macroOf(node)
    if (macro !== undefined) return ofMacro(node, macro, known)
    const args = Array.isArray(node.args) ? (node.args as unknown[]) : []
    if (node.op === 'call' && args[0] === 'has') return schemaOf(args[1], known, true)
    if (node.op === 'rcall') {
      const receiver = schemaOf(args[1], known, isOptional)
      schemaOf(args[2], known, false)
      return args[0] === 'orValue' ? receiver : undefined
    }
    if (typeof node.args === 'object') schemaOf(node.args, known, false)
    return undefined
  }

  function ofMember(node: Node, known: Known, isOptional: boolean): ValueSchema | undefined {
    const [left, right] = Array.isArray(node.args) ? (node.args as unknown[]) : []
    const owner = schemaOf(left, known, isOptional)
    const name = formerName(node) ?? literalName(right)
    if (name === undefined) {
      schemaOf(right, known, false)
      return anyMember(owner)
    }
    const member = memberSchema(owner, name)
    if (member !== 'missing') return member
    const at = isNode(right) ? right : { start: node.pos, end: node.end }
    found.push({
      message: missingText(name, isNode(left) ? source.slice(left.start, left.end) : '', owner),
      start: at.start ?? 0,
      end: at.end ?? source.length,
      isOptional: isOptional || node.op.includes('?'),
    })
    return undefined
  }

  function ofMacro(
    node: Node,
    { variable, outside, inside }: NonNullable<ReturnType<typeof macroOf>>,
    known: Known,
  ): ValueSchema | undefined {
    const [name] = node.args as unknown[]
    const receiver = schemaOf(outside[0], known, false)
    const bound = name === 'bind' ? receiver : receiver?.items
    const within = new Map(known).set(variable, bound)
    const values = inside.map((each) => schemaOf(each, within, false))
    if (name === 'filter') return receiver
    if (name === 'bind') return values.at(-1)
    const last = values.at(-1)
    return name === 'map' && last !== undefined ? { items: last } : undefined
  }
}

function missingText(name: string, owner: string, schema: ValueSchema | undefined): string {
  const names = Object.keys(schema?.properties ?? {})
  const near = nearestWord(name, names)
  const rest =
    near !== undefined
      ? `Did you mean "${near}"?`
      : names.length === 0
        ? 'It has no fields.'
        : `It has: ${names.slice(0, 20).join(', ')}.`
  return `There is no "${name}" in ${owner}. ${rest}`
}
