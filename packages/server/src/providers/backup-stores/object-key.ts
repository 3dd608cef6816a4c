const segment = /^[A-Za-z0-9_=-][A-Za-z0-9._=-]{0,254}$/
const maxKeyLength = 700

/**
 * Answers the key as it is. Throws for one that could leave a directory, that an object store would write differently,
 * or that is longer than either takes.
 */
export function requireKey(key: string): string {
  if (key.length <= maxKeyLength && key.split('/').every((each) => segment.test(each))) return key
  throw new Error(`"${key.slice(0, 80)}" cannot be the key of a backup`)
}
