import type { CallInput, CallOutput } from '@bey/contract'
import { fromWire, routes, toWire } from '@bey/contract'
import { Document, isCollection, isMap, isScalar, visit, YAMLMap, YAMLSeq } from 'yaml'

/** A definition as the console's client sends and receives it. */
export type Definition = CallOutput<'workflows.version'>['definition']
export type DefinitionInput = Omit<CallInput<'workflows.create'>['body'], 'reason' | 'state'>

const shape = routes['workflows.create'].wire?.body ?? {}

/** What a definition says without saying it: left out of the text. */
const defaults: Readonly<Record<string, unknown>> = {
  description: '',
  type: 'custom',
  tags: [],
  input_schema: { type: 'object', properties: {} },
  outputs: {},
  parallel: 10,
  priority: 0,
}

const order = ['name', 'description', 'type', 'tags', 'input_schema']
const stepOrder = [
  'key',
  'name',
  'type',
  'needs',
  'when',
  'foreach',
  'timeout_ms',
  'retry',
  'continue_on_error',
  'concurrency',
  'config',
  'compensate',
]
/** Written on one line: they are short, and read as one thing. */
const flowKeys = new Set(['needs', 'retry', 'foreach', 'concurrency', 'tags', 'enum', 'required'])
const longestFlow = 90

/** A definition as YAML, with the names of the wire; what is left out has its default. */
export function definitionText(definition: Definition | DefinitionInput): string {
  // Renaming keeps the shape of an object.
  const wire = toWire(definition, shape) as Record<string, unknown>
  const { steps, ...rest } = wire
  const kept = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !isDefault(key, value)))
  const list = Array.isArray(steps)
    ? steps.map((step: Record<string, unknown>) => sorted(tidy(step), stepOrder))
    : []
  return yamlText(new Document({ ...sorted(kept, order), steps: list }))
}

/** A document as text: two spaces, no folding, short lists on one line. */
export function yamlText(document: Document): string {
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && flowKeys.has(String(key.value)) && isCollection(value) && !value.range) {
        value.flow = JSON.stringify(value.toJS(document)).length <= longestFlow
      }
    },
    Collection(_, node) {
      if (node.flow) padFlow(node)
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** As people write them: `[a, b]` without blanks inside, `{ a: b }` with. The library knows one of both for all. */
function padFlow(node: YAMLMap | YAMLSeq): void {
  const kind = isMap(node) ? YAMLMap : YAMLSeq
  const flowCollectionPadding = isMap(node) ? ' ' : ''
  node.toString = (context, ...rest) =>
    kind.prototype.toString.call(node, context && { ...context, flowCollectionPadding }, ...rest)
}

/** What the text says, with the names that the client takes. Call it where the text has no problem. */
export function definitionOf(root: Readonly<Record<string, unknown>>): DefinitionInput {
  // The server checks every field, and the editor has shown what is wrong.
  return fromWire(root, shape) as DefinitionInput
}

function isDefault(key: string, value: unknown): boolean {
  return key in defaults && JSON.stringify(value) === JSON.stringify(defaults[key])
}

function tidy({ config, ...step }: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = typeof config === 'object' && config !== null && Object.keys(config).length === 0
  return isEmpty ? step : { ...step, config }
}

function sorted(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const first = keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]] as const)
  const others = Object.entries(object).filter(([key, value]) => !keys.includes(key) && value !== undefined)
  return Object.fromEntries([...first, ...others])
}

/** Whether a text has comments: a saved version does not keep them. */
export function hasComments(document: Document): boolean {
  let found = document.comment !== null && document.comment !== undefined
  found ||= document.commentBefore !== null && document.commentBefore !== undefined
  visit(document, {
    Node(_, node) {
      if (node.comment || node.commentBefore) {
        found = true
        return visit.BREAK
      }
      return undefined
    },
  })
  return found || (isMap(document.contents) && Boolean(document.contents.commentBefore))
}
