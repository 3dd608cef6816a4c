const namePattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const prefixPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const maxAnnotationBytes = 256 * 1024

/** What is wrong with the key of a label or annotation (Kubernetes: qualified name). */
export function keyProblem(key: string): string | undefined {
  const parts = key.split('/')
  const name = parts.at(-1) ?? ''
  const prefix = parts.length > 1 ? parts[0] : undefined
  if (key === '') return 'Enter a key.'
  if (parts.length > 2) return 'A key has at most one slash: prefix/name.'
  if (prefix !== undefined && (prefix.length > 253 || !prefixPattern.test(prefix)))
    return 'The part before the slash must be a DNS name of at most 253 lower-case characters.'
  if (name.length > 63 || !namePattern.test(name))
    return 'The name must have at most 63 letters, digits, “-”, “_” or “.”, and begin and end with a letter or digit.'
  return undefined
}

/** What is wrong with the value of a label. */
export function labelValueProblem(value: string): string | undefined {
  if (value === '' || (value.length <= 63 && namePattern.test(value))) return undefined
  return 'A label’s value has at most 63 letters, digits, “-”, “_” or “.”, and begins and ends with a letter or digit.'
}

/** What is wrong with annotations taken together. */
export function annotationsProblem(annotations: Readonly<Record<string, string>>): string | undefined {
  const bytes = new TextEncoder().encode(Object.entries(annotations).flat().join('')).length
  return bytes > maxAnnotationBytes
    ? 'All annotations of an object together may have at most 256 KiB.'
    : undefined
}
