import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

import type { DumpProgram } from '../../features/databases/provider.ts'

const run = promisify(execFile)
const versionTimeoutMs = 10_000

/**
 * The programs `pg_dump` in these directories, then in those of the PATH, each with its version. One that does not say its
 * version is left out.
 */
export async function findDumpPrograms(
  directories: readonly string[],
  path: string | undefined,
): Promise<DumpProgram[]> {
  const places = [...directories, ...(path ?? '').split(delimiter)].filter((each) => isAbsolute(each))
  const found = await Promise.all([...new Set(places)].map((each) => programIn(join(each, 'pg_dump'), path)))
  return found.filter((each) => each !== undefined)
}

async function programIn(file: string, path: string | undefined): Promise<DumpProgram | undefined> {
  try {
    await access(file, constants.X_OK)
    const { stdout } = await run(file, ['--version'], {
      timeout: versionTimeoutMs,
      env: { PATH: path, LC_ALL: 'C' },
    })
    const version = /(\d+(?:\.\d+)?)/.exec(stdout)?.[1]
    return version === undefined ? undefined : { file, version }
  } catch {
    // It is not there, or cannot be executed here: the next directory is looked at.
    return undefined
  }
}
