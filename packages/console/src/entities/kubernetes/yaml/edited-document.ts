import { parseManifest } from './manifest-documents.ts'
import type { ManifestDocument } from './manifest-documents.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** The document that a text holds of the object `base`, or why it cannot be applied to it. */
export function onlyDocument(text: string, base: Free): ManifestDocument | { message: string } {
  const { documents, problems } = parseManifest(text)
  const [problem] = problems
  if (problem)
    return { message: `Line ${text.slice(0, problem.from).split('\n').length}: ${problem.message}` }
  const [document, second] = documents
  if (!document) return { message: 'The text is empty. To delete the object, use Delete in its menu.' }
  if (second) return { message: 'This page changes one object. Apply several documents from Create.' }
  const metadata = isFree(base['metadata']) ? base['metadata'] : {}
  const isSame =
    document.kind === base['kind'] &&
    document.name === metadata['name'] &&
    document.namespace === (metadata['namespace'] ?? '')
  if (!isSame) {
    return {
      message:
        'Kind, name and namespace of an object cannot change. Create a new object, then delete this one.',
    }
  }
  return document
}

/** The version by which a cluster notices that an object changed since it was read; empty where it says none. */
export function versionOf(object: Free): string {
  const metadata = isFree(object['metadata']) ? object['metadata'] : {}
  return typeof metadata['resourceVersion'] === 'string' ? metadata['resourceVersion'] : ''
}
