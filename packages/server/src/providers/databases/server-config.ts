import { chown, copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { hbaLines, isChangeableParameter } from '@bey/contract'

export type Owner = { uid: number; gid: number } | undefined

const autoConf = (clusterDir: string) => join(clusterDir, 'postgresql.auto.conf')
const keptPrefix = 'bey-kept-parameters-'

/** Names of the parameters that were set in a server by `alter system`. */
async function namesSetIn(clusterDir: string): Promise<string[]> {
  const text = await readFile(autoConf(clusterDir), 'utf8').catch(() => '')
  return [...text.matchAll(/^([\w.]+)\s*=/gm)].map(([, name = '']) => name.toLowerCase())
}

/** Settings that leave a parameter to the server where it was set there: what stands on the command line would win. */
export async function leftToServer(clusterDir: string): Promise<Record<string, undefined>> {
  const names = (await namesSetIn(clusterDir)).filter(isChangeableParameter)
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

const hbaFile = (clusterDir: string) => join(clusterDir, 'pg_hba.conf')

/** Who may connect from where. The socket, by which Bey connects, and the machine itself are always admitted. */
const hbaText = (networks: readonly { cidr: string }[]): string =>
  [
    '# Written by Bey: changes are lost. See the tab Connect of the database.',
    'local all all scram-sha-256',
    'local replication all scram-sha-256',
    ...hbaLines(networks),
    '',
  ].join('\n')

/** Writes who may connect from where. */
export async function writeAllowList(
  clusterDir: string,
  networks: readonly { cidr: string }[],
  owner: Owner,
): Promise<void> {
  await replaceFile(hbaFile(clusterDir), hbaText(networks), owner)
}

/** The file that says who may connect, as Bey writes it and as it is; null where it is gone. */
export async function compareAllowList(
  clusterDir: string,
  networks: readonly { cidr: string }[],
): Promise<{ written: string; found: string | null }> {
  return { written: hbaText(networks), found: await unlessGone(readFile(hbaFile(clusterDir), 'utf8')) }
}

/** Another text whenever the file that says who may connect was written. */
export async function allowListStamp(clusterDir: string): Promise<string> {
  const file = await unlessGone(stat(hbaFile(clusterDir)))
  return file === null ? 'gone' : `${file.ino} ${file.mtimeMs} ${file.size}`
}

async function unlessGone<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Keeps the parameters that were set before a change, under the name of the change, unless they are kept already. */
export async function keepParameters(clusterDir: string, key: string, owner: Owner): Promise<void> {
  const kept = join(clusterDir, keptPrefix + key)
  const others = (await readdir(clusterDir)).filter((name) => name.startsWith(keptPrefix))
  if (others.includes(keptPrefix + key)) return
  await Promise.all(others.map((name) => rm(join(clusterDir, name), { force: true })))
  const partial = `${kept}.part`
  await copyFile(autoConf(clusterDir), partial)
  if (owner !== undefined) await chown(partial, owner.uid, owner.gid)
  await rename(partial, kept)
}

/** Puts the parameters back that were kept. False where none were. */
export async function putParametersBack(clusterDir: string, key: string, owner: Owner): Promise<boolean> {
  const kept = await readFile(join(clusterDir, keptPrefix + key), 'utf8').catch(() => undefined)
  if (kept === undefined) return false
  await replaceFile(autoConf(clusterDir), kept, owner)
  return true
}

export async function forgetParameters(clusterDir: string, key: string): Promise<void> {
  await rm(join(clusterDir, keptPrefix + key), { force: true })
}

/** All of the file or the one before: never a half. */
export async function replaceFile(path: string, text: string, owner: Owner): Promise<void> {
  const partial = `${path}.part`
  await writeFile(partial, text, { mode: 0o600, flush: true })
  if (owner !== undefined) await chown(partial, owner.uid, owner.gid)
  await rename(partial, path)
}
