import { BackupStoreProblem } from '../../platform/backups/backup-store-problem.ts'
import { isFull } from '../../platform/disk-full.ts'

const refusals: Readonly<Record<string, string>> = {
  EACCES: 'may not be used by the user under whom Bey runs',
  EPERM: 'may not be used by the user under whom Bey runs',
  EROFS: 'is mounted read only',
  EEXIST: 'is a file, or below one',
  ENOTDIR: 'is a file, or below one',
}

/** The sentence for a failure of files; what is none is answered as it is. */
export function directoryProblem(error: unknown, root: string, key: string): unknown {
  if (error instanceof BackupStoreProblem || !(error instanceof Error)) return error
  if (isFull(error)) {
    return new BackupStoreProblem(
      'full',
      `The disk of ${root} is full. Free space there, or keep backups elsewhere.`,
      { cause: error },
    )
  }
  const code = 'code' in error ? String(error.code) : ''
  // Errors of the source have no path: they are about the database, not about the directory.
  if (!('path' in error) && code !== 'EIO') return error
  if (code === 'ENOENT') {
    return new BackupStoreProblem('absent', `${root} has no ${key}: it was removed or never stored.`, {
      cause: error,
    })
  }
  const refusal = refusals[code]
  return refusal === undefined
    ? new BackupStoreProblem('unavailable', `${root} cannot be read or written (${code}).`, { cause: error })
    : new BackupStoreProblem('denied', `The directory ${root} ${refusal}.`, { cause: error })
}
