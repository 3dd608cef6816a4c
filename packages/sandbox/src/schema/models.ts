import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const generated = join(import.meta.dirname, '..', '..', 'generated')

/** The shape of one model: field → encoded type, as tools/generate-schemas.ts explains. */
export type Model = Readonly<Record<string, string>>

export type FieldType = {
  isRequired: boolean
  container: 'none' | 'list' | 'map'
  /** One of the one-letter scalars, or the name of a model. */
  of: string
}

function load<T>(file: string): T {
  // Both files are made by our own generator; their shape is the type that the callers name.
  return JSON.parse(readFileSync(join(generated, file), 'utf8')) as T
}

let models: Record<string, Model> | undefined

export function modelOf(name: string): Model | undefined {
  models ??= load<Record<string, Model>>('schemas.json')
  return Object.hasOwn(models, name) ? models[name] : undefined
}

/** Read only to answer OpenAPI requests, so not kept. */
export function loadDescriptions(): Record<string, Record<string, string>> {
  return load('descriptions.json')
}

const parsed = new Map<string, FieldType>()

export function fieldType(encoded: string): FieldType {
  let type = parsed.get(encoded)
  if (!type) {
    const isRequired = encoded.startsWith('!')
    const rest = isRequired ? encoded.slice(1) : encoded
    const container = rest.startsWith('[]') ? 'list' : rest.startsWith('{}') ? 'map' : 'none'
    type = { isRequired, container, of: container === 'none' ? rest : rest.slice(2) }
    parsed.set(encoded, type)
  }
  return type
}
