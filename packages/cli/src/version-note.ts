import { compareVersions } from '@bey/contract'
import type { Terminal } from './terminal.ts'

/** Says once, beside the reply, that the server is of another version, and what to do. */
export function createVersionNote(
  { note }: Pick<Terminal, 'note'>,
  version: string,
  url: string,
): (served: string | null) => void {
  let isSaid = false
  return (served) => {
    if (served === null || isSaid) return
    isSaid = true
    const text = versionText(version, served, url)
    if (text !== undefined) note(`${text}\n`)
  }
}

/** Undefined where both are of the same version. */
function versionText(version: string, served: string, url: string): string | undefined {
  const order = compareVersions(version, served)
  if (order === 0) return undefined
  const page = `${url}/workspaces/settings/cli`
  return order < 0
    ? `bey ${version} is older than the server, which is ${served}. Download the program again from ${page}`
    : `bey ${version} is newer than the server, which is ${served}: what the server does not know yet fails. Update the server, or download its own program from ${page}`
}
