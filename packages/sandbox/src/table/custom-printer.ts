import { isObject, plain, type Json } from '../json.ts'
import type { CustomResourceDefinition } from '../types.ts'
import { since } from './cells.ts'
import { columns, type Column, type Printer } from './columns.ts'

type Step = { name: string } | { index: number } | { all: true } | { member: string; equals: string }

/** Parses the JSONPath subset that printer columns use: `.a.b[0].c`, `['x']`, `[*]`, `[?(@.type=="Ready")]`. */
function parsePath(path: string): Step[] {
  const pattern =
    /\.([\w-]+)|\[(\d+)\]|\[\*\]|\['([^']+)'\]|\["([^"]+)"\]|\[\?\(@\.([\w-]+)\s*==\s*["']([^"']*)["']\)\]/g
  const steps: Step[] = []
  for (const [whole, name, index, quoted, doubled, member, equals] of path.matchAll(pattern)) {
    const key = name ?? quoted ?? doubled
    if (key !== undefined) steps.push({ name: key })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (member !== undefined) steps.push({ member, equals: equals ?? '' })
    else if (whole === '[*]') steps.push({ all: true })
  }
  return steps
}

function follow(values: Json[], step: Step): Json[] {
  return values.flatMap((value): Json[] => {
    if ('name' in step) {
      const found = isObject(value) ? value[step.name] : undefined
      return found === undefined ? [] : [found]
    }
    if (!Array.isArray(value)) return []
    if ('index' in step) return value[step.index] === undefined ? [] : [value[step.index] ?? null]
    if ('all' in step) return value
    return value.filter((item) => isObject(item) && plain(item[step.member]) === step.equals)
  })
}

/** The values at a JSONPath. */
function jsonPath(value: Json, path: string): Json[] {
  let values = [value]
  for (const step of parsePath(path)) values = follow(values, step)
  return values
}

const types = ['string', 'integer', 'number', 'date', 'boolean'] as const

function typeOf(text: string): Column['type'] {
  return types.find((type) => type === text) ?? 'string'
}

/** The columns that a CustomResourceDefinition declares; Name and Age when it declares none. */
export function customPrinter(definition: CustomResourceDefinition, version: string): Printer {
  const declared = definition.spec.versions.find((one) => one.name === version)?.additionalPrinterColumns
  const extra = declared ?? [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }]
  const [name] = columns('Name')
  return {
    columns: [
      ...(name ? [name] : []),
      ...extra.map((column) => ({
        name: column.name,
        type: typeOf(column.type),
        format: column.format ?? '',
        description: column.description ?? '',
        priority: column.priority ?? 0,
      })),
    ],
    cells: (object, nowMs) => [
      object.metadata.name,
      ...extra.map((column): Json => {
        const found = jsonPath(object, column.jsonPath)
        const [first] = found
        if (first === undefined) return column.type === 'date' ? '<unknown>' : null
        if (column.type === 'date') return typeof first === 'string' ? since(first, nowMs) : '<invalid>'
        if (column.type === 'string') return typeof first === 'object' ? JSON.stringify(first) : String(first)
        return first
      }),
    ],
  }
}
