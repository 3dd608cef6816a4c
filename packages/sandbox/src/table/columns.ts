import type { Json } from '../json.ts'
import type { KubeObject } from '../types.ts'
import { since } from './cells.ts'

export type Column = {
  name: string
  type: 'string' | 'integer' | 'number' | 'date' | 'boolean'
  /** `name` on the column that identifies the row. */
  format: string
  description: string
  /** 0 is always shown, 1 only in wide output. */
  priority: number
}

/** How one kind is printed. */
export type Printer = {
  columns: readonly Column[]
  cells(object: KubeObject, nowMs: number): Json[]
}

const integers = new Set([
  'Desired',
  'Current',
  'Up-to-date',
  'Available',
  'Restarts',
  'Data',
  'Secrets',
  'MinPods',
  'MaxPods',
  'Replicas',
  'Allowed Disruptions',
  'Active',
  'Count',
  'Value',
])

/**
 * Columns from the short form `Name,Ready,*IP`: a star marks those of wide output. `strings` names counts that are
 * printed as text, such as a Deployment's `1/1`.
 */
export function columns(list: string, strings: readonly string[] = []): Column[] {
  return list.split(',').map((word) => {
    const name = word.replace(/^\*/, '')
    return {
      name,
      type: integers.has(name) && !strings.includes(name) ? 'integer' : 'string',
      format: name === 'Name' ? 'name' : '',
      description: name === 'Name' ? 'Name must be unique within a namespace.' : `${name} of the object.`,
      priority: word.startsWith('*') ? 1 : 0,
    }
  })
}

/** Ties cells, which get the object, the time and the object's age, to the columns of `list`. */
export function printer<T>(
  list: string,
  cells: (object: T, nowMs: number, age: string) => Json[],
  strings?: string[],
): Printer {
  const made: Column[] = columns(list, strings)
  return {
    columns: made,
    // A printer only ever sees objects of the kind that it is registered for.
    cells: (object, nowMs) =>
      cells(object as unknown as T, nowMs, since(object.metadata.creationTimestamp, nowMs)),
  }
}
