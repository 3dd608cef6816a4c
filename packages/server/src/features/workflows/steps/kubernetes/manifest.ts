import { type Document, parseAllDocuments, type YAMLParseError } from 'yaml'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { KubeObject } from './kube-object.ts'

const maxObjects = 200

export type Manifest = string | KubeObject | readonly KubeObject[]

/** Objects of a manifest: YAML with one or several documents, an object, or a list of them; lists of Kubernetes are opened. */
export function objectsOf(manifest: Manifest): KubeObject[] {
  const documents = typeof manifest === 'string' ? parsed(manifest) : [manifest].flat()
  const objects = documents.flatMap((each): unknown[] => {
    const { kind, items } = (each ?? {}) as { kind?: unknown; items?: unknown }
    return kind === 'List' && Array.isArray(items) ? items : [each]
  })
  if (objects.length === 0) throw new StepFailure('The manifest contains no object.')
  if (objects.length > maxObjects) {
    throw new StepFailure(`The manifest contains ${objects.length} objects; one step applies ${maxObjects}.`)
  }
  const wrong = objects.findIndex((object) => !isNamed(object))
  if (wrong >= 0) throw new StepFailure(`Object ${wrong + 1} of the manifest has no metadata.name.`)
  return objects.filter(isNamed)
}

function parsed(text: string): unknown[] {
  const documents = parseAllDocuments(text)
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error) throw new StepFailure(`The manifest is not YAML: ${placeOf(error)}.`)
    const value = valueOf(document)
    return value === null || value === undefined ? [] : [value]
  })
}

/** Without the message of the parser, which quotes the line. */
function placeOf({ code, linePos }: YAMLParseError): string {
  const start = linePos?.[0]
  const what = code.toLowerCase().replaceAll('_', ' ')
  return start === undefined ? what : `${what} in line ${start.line}, column ${start.col}`
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    // Without its cause, which names the alias.
    throw new StepFailure('The manifest is not YAML: it has an unknown alias, or more than 100.')
  }
}

function isNamed(value: unknown): value is KubeObject {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false
  const { metadata } = value
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    'name' in metadata &&
    typeof metadata.name === 'string'
  )
}
