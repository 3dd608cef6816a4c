import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { chooseAccount } from '../../platform/db/embedded/account.ts'
import { prepareLayout } from '../../platform/db/embedded/layout.ts'
import { findPostmaster, stopPostmaster } from '../../platform/db/embedded/postmaster.ts'

const prefix = 'drill-'

/** A directory for a drill, below that of the data. */
export const drillDirectory = (dataDir: string, name: string) => join(dataDir, `${prefix}${name}`)

/** Stops the servers and removes the files of drills that ended with their process. Called while none is under way. */
export async function removeLeftDrills(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(prefix))
  if (names.length === 0) return
  const account = await chooseAccount()
  for (const name of names) {
    const directory = join(dataDir, name)
    const server = await findPostmaster(await prepareLayout(directory, '/var/lib/bey', account))
    if (server !== undefined) await stopPostmaster(server)
    await rm(directory, { recursive: true, force: true })
  }
}
