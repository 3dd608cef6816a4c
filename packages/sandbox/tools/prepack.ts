/**
 * Makes what `npm pack` packs: `dist/`, for Node strips no types below `node_modules`, and a package.json whose entries
 * lie there. `tools/postpack.ts` puts everything back. Throws when the code does not compile.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const manifest = join(root, 'package.json')
const kept = join(root, 'package.workspace.json')

// A pack that was killed has left the one of the tarball behind.
if (existsSync(kept)) renameSync(kept, manifest)
rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync('tsc', ['-p', join(root, 'tsconfig.dist.json')], { stdio: 'inherit' })
const text = readFileSync(manifest, 'utf8')
const { scripts: _scripts, devDependencies: _devDependencies, private: _private, ...rest } = JSON.parse(text)
const published = {
  ...rest,
  bin: { 'bey-sandbox': './dist/main.js' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
writeFileSync(kept, text)
writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`)
