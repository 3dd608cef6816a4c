import { formatBytes, formatCount } from '../../../lib/format.ts'

/** "3 databases, 1.2 GB", or that nothing is kept. */
export function keptText({ databases, storedBytes }: { databases: number; storedBytes: number }): string {
  return databases === 0
    ? 'Nothing yet'
    : `${formatCount(databases, 'database')}, ${formatBytes(storedBytes)}`
}
