import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../../../..')
const journal = 'packages/server/migrations/meta/_journal.json'

const git = async (...words: string[]) => (await run('git', ['-C', repository, ...words])).stdout.trim()

/** The last commit before the newest migration; undefined where the history is not there, as in an archive of the source. */
export async function commitBeforeNewestMigration(): Promise<string | undefined> {
  try {
    return await git('rev-parse', `${await git('log', '-1', '--format=%H', '--', journal)}^`)
  } catch {
    return undefined
  }
}

/** The source of an earlier commit in a directory of its own, with the packages that are installed here. */
export async function earlierVersion(commit: string) {
  const dir = await mkdtemp(join(tmpdir(), 'bey-earlier-'))
  await run('sh', [
    '-c',
    'git -C "$0" archive "$1" packages package.json | tar -x -C "$2"',
    repository,
    commit,
    dir,
  ])
  const installed = join(repository, 'node_modules')
  await mkdir(join(dir, 'node_modules/@bey'), { recursive: true })
  for (const name of await readdir(installed))
    if (name !== '@bey') await symlink(join(installed, name), join(dir, 'node_modules', name))
  for (const name of await readdir(join(installed, '@bey')))
    await symlink(join(dir, 'packages', name), join(dir, 'node_modules/@bey', name))
  return {
    main: join(dir, 'packages/server/src/main.ts'),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
