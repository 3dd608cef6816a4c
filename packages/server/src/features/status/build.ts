import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** What is running: read once at start, from files alone, so it works where there is no git. */
export type Build = {
  version: string
  /** The same for every process that runs this build, another for the next. */
  deploymentId: string
  gitCommit: string
  gitBranch: string
  builtAt: Date
}

export async function readBuild(repositoryDir: string, consoleDir: string): Promise<Build> {
  const [manifest, page, git, builtAt] = await Promise.all([
    readFile(join(repositoryDir, 'package.json'), 'utf8'),
    readFile(join(consoleDir, 'index.html'), 'utf8').catch(() => ''),
    readGit(join(repositoryDir, '.git')),
    modifiedAt([join(consoleDir, 'index.html'), join(repositoryDir, 'package.json')]),
  ])
  const version = (JSON.parse(manifest) as { version: string }).version
  // The page names its scripts by the hash of their contents.
  const deploymentId = createHash('sha256')
    .update(JSON.stringify([version, git.commit, page]))
    .digest('hex')
    .slice(0, 16)
  return { version, deploymentId, gitCommit: git.commit, gitBranch: git.branch, builtAt }
}

const noGit = { commit: '', branch: '' }

async function readGit(path: string): Promise<{ commit: string; branch: string }> {
  const dir = await gitDir(path)
  if (dir === undefined) return noGit
  const head = await text(join(dir, 'HEAD'))
  const ref = /^ref: (refs\/heads\/(\S+))/.exec(head)
  if (ref?.[1] === undefined) return { commit: head, branch: '' }
  // A worktree keeps its branches in the repository that it belongs to.
  const shared = join(dir, (await text(join(dir, 'commondir'))) || '.')
  const loose = (await text(join(dir, ref[1]))) || (await text(join(shared, ref[1])))
  const packed = loose === '' ? await text(join(shared, 'packed-refs')) : ''
  const line = packed.split('\n').find((each) => each.endsWith(` ${ref[1]}`))
  return { commit: loose || (line?.split(' ')[0] ?? ''), branch: ref[2] ?? '' }
}

async function gitDir(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return undefined
  if (stats.isDirectory()) return path
  const pointed = /^gitdir: (.+)$/.exec(await text(path))?.[1]
  return pointed === undefined ? undefined : resolve(path, '..', pointed)
}

/** Empty where there is no such file. */
async function text(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim()
}

async function modifiedAt(paths: string[]): Promise<Date> {
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined) return stats.mtime
  }
  return new Date(0)
}
