// The product as one folder that needs no npm and no network: Node, the server, what it imports, and the built console.
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beginStep } from '../progress.mjs'
import { ensureBuilt, nodePath, root, run } from '../workspace.mjs'
import { emptied } from './emptied.mjs'
import { isUnread, productFiles, serverPackages } from './product-files.mjs'

const launcher = (node, program) => `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" ${node}"$here/../${program}" "$@"
`

/** Makes the folder anew. Throws with a sentence where a step fails. */
export async function makeProductTree(into) {
  await ensureBuilt()
  const step = beginStep('Gathering the product')
  emptied(into, 'bin/bey-server')
  for (const path of productFiles(root)) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    cpSync(join(root, path), join(into, path))
  }
  cpSync(join(root, 'packages/console/dist'), join(into, 'packages/console/dist'), { recursive: true })
  await installPackages(into)
  prune(join(into, 'node_modules'))
  mkdirSync(join(into, 'bin'))
  cpSync(nodePath(), join(into, 'bin/node'), { dereference: true })
  symlinkSync('../../bin/node', join(into, 'node_modules/.bin/node'))
  // Requests leave garbage that is gone at once: with a smaller young generation, collecting it is a tenth of their cost.
  program(into, 'bey-server', launcher('--max-semi-space-size=32 ', 'packages/server/src/main.ts'))
  program(into, 'bey', launcher('', 'packages/console/dist/cli/bey.mjs'))
  step.end()
}

function program(into, name, text) {
  writeFileSync(join(into, 'bin', name), text)
  chmodSync(join(into, 'bin', name), 0o755)
}

/** What the server needs of npm, in the versions of the lock file. Its own scripts run: PostgreSQL links its libraries. */
async function installPackages(into) {
  const workspaces = serverPackages.flatMap((name) => ['--workspace', `@bey/${name}`])
  const { code, output: said } = await run(
    'npm',
    ['ci', '--omit=dev', ...workspaces, '--no-audit', '--no-fund', '--loglevel=error'],
    { capture: true, cwd: into },
  )
  if (code !== 0) throw new Error(`The packages of the product could not be installed: ${said.trim()}`)
}

function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && isUnread(entry.name)) rmSync(join(entry.parentPath, entry.name))
  }
}
