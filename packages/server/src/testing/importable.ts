import { afterAll } from 'vitest'
import { startImportable } from './importable-cluster.ts'

/** A cluster to import that is gone after the last test of the calling file. */
export async function importableCluster(options: Parameters<typeof startImportable>[0] = {}) {
  const cluster = await startImportable(options)
  afterAll(() => cluster.remove())
  return cluster
}
