// `npm run migration -- <name>`: writes the SQL that brings a database from the newest snapshot to the tables as they
// are now. Only the newest snapshot is kept: it is all that the next migration is compared with.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { ensureInstalled, root, run } from './workspace.mjs'

const [name] = process.argv.slice(2)
if (name === undefined || !/^[a-z0-9]+([-_][a-z0-9]+)*$/.test(name)) {
  console.error('A migration needs a name that says what it changes: npm run migration -- cluster-labels')
  process.exit(1)
}

await ensureInstalled()
const server = join(root, 'packages/server')
const snapshots = () => {
  const meta = join(server, 'migrations/meta')
  if (!existsSync(meta)) return []
  return readdirSync(meta)
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .map((file) => join(meta, file))
}

const { code } = await run('drizzle-kit', ['generate', '--name', name], { cwd: server })
for (const snapshot of snapshots().slice(0, -1)) rmSync(snapshot)
process.exit(code)
