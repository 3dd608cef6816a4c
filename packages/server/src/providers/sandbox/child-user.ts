import { chown, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execPath, getuid } from 'node:process'

/** Uid and gid that a sandbox runs as. */
export type ChildUser = { uid: number; gid: number }

export type ChildUserChoice =
  /** The server is not root, so its sandboxes have no more rights than it has. */
  | { kind: 'same' }
  | { kind: 'own'; user: ChildUser }
  /** The server is root and sandboxes are as well, for this reason. */
  | { kind: 'root'; problem: string }

// The range from which systemd takes users for services; no distribution gives these ids to people.
const firstId = 61_184
const lastId = 65_519

/** Chooses an unused user id for the sandboxes of a server that runs as root. */
export async function chooseChildUser(mainPath: string): Promise<ChildUserChoice> {
  if (getuid?.() !== 0) return { kind: 'same' }
  const closed = (await closedTo(await realpath(mainPath))) ?? (await closedTo(await realpath(execPath)))
  if (closed !== undefined) {
    return { kind: 'root', problem: `Sandboxes run as root, because other users may not read ${closed}.` }
  }
  const id = await unusedId()
  return id === undefined
    ? { kind: 'root', problem: `Sandboxes run as root, because every user id from ${firstId} is taken.` }
    : { kind: 'own', user: { uid: id, gid: id } }
}

/** The first part of a path that users other than its owner cannot enter or read. */
async function closedTo(path: string): Promise<string | undefined> {
  if (((await stat(path)).mode & 0o004) === 0) return path
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

async function unusedId(): Promise<number | undefined> {
  const texts = await Promise.all(
    ['/etc/passwd', '/etc/group'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const taken = new Set(texts.flatMap((text) => text.split('\n').map((line) => Number(line.split(':')[2]))))
  for (let id = firstId; id <= lastId; id += 1) if (!taken.has(id)) return id
  return undefined
}

/** Gives a sandbox's directory, and what an earlier process left in it, to the user that it runs as. */
export async function giveDirectory(dir: string, { uid, gid }: ChildUser): Promise<void> {
  const paths = [dir, ...(await readdir(dir)).map((name) => join(dir, name))]
  await Promise.all(
    paths.map(async (path) => {
      const { uid: owner } = await stat(path)
      if (owner !== uid) await chown(path, uid, gid)
    }),
  )
}
