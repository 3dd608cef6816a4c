import { causes } from './errors.ts'

/** ENOSPC and EDQUOT of a file, disk_full of PostgreSQL. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether something failed because a disk or a quota on it is full. */
export function isFull(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (!(cause instanceof Error)) continue
    if ('code' in cause && fullCodes.has(String(cause.code))) return true
    // What a program says that was started by us.
    if (cause.message.includes('No space left on device')) return true
  }
  return false
}

export const diskIsFull =
  'The disk of this server is full, so nothing can be saved. Whoever runs the server must free disk space.'
