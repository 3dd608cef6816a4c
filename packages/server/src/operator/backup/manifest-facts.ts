import type { Manifest } from './manifest.ts'

/** What lists say of a backup. */
export function factsOf({ id, parts, rows, rootKeyFingerprint }: Manifest) {
  const sum = (field: 'copiedBytes' | 'storedBytes') => parts.reduce((total, each) => total + each[field], 0)
  return {
    backupId: id,
    copiedBytes: sum('copiedBytes'),
    storedBytes: sum('storedBytes'),
    rowCount: Object.values(rows).reduce((total, [, after]) => total + after, 0),
    rootKeyFingerprint,
  }
}
