/** Puts back what `tools/prepack.ts` changed. */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
renameSync(join(root, 'package.workspace.json'), join(root, 'package.json'))
rmSync(join(root, 'dist'), { recursive: true, force: true })
