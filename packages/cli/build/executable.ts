// The command line as a single executable for the system of this machine, beside the file for Node. `npm run build` makes it,
// and `npm start` once its page is there: 120 MB are copied and rewritten.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'postject'
import { build } from 'vite'
import { commandsOfContract } from './commands-plugin.ts'

/** Marks the place in Node's own executable (https://nodejs.org/api/single-executable-applications.html). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const packageDir = join(import.meta.dirname, '..')
const dist = join(packageDir, '../console/dist/cli')
const work = mkdtempSync(join(tmpdir(), 'bey-executable-'))
try {
  await bundle()
  const blob = join(work, 'bey.blob')
  const settings = join(work, 'settings.json')
  const main = join(work, 'bey.cjs')
  // With the code compiled already, a start parses nothing.
  writeFileSync(
    settings,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const name = `bey-${process.platform}-${process.arch}${process.platform === 'win32' ? '.exe' : ''}`
  const file = join(work, name)
  copyFileSync(process.execPath, file)
  chmodSync(file, 0o755)
  await inject(file, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: fuse,
    ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
  })
  const bytes = readFileSync(file)
  replace(join(dist, name), bytes)
  chmodSync(join(dist, name), 0o755)
  addToPage(name, bytes)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The same program as CommonJS, which is all that an executable of Node 24 can begin with. */
async function bundle(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: packageDir,
    plugins: [commandsOfContract()],
    build: {
      ssr: 'src/main.ts',
      outDir: work,
      target: 'node24',
      minify: true,
      rolldownOptions: {
        treeshake: {
          moduleSideEffects: [{ test: /[\\/]packages[\\/](client|contract)[\\/]/, sideEffects: false }],
        },
        output: { format: 'cjs', entryFileNames: 'bey.cjs', codeSplitting: false },
      },
    },
    ssr: { noExternal: true },
  })
}

/** What the page of the command line shows of it, beside the file for Node. */
function addToPage(name: string, bytes: Buffer): void {
  const page = join(dist, 'build.json')
  const executable = {
    file: name,
    platform: process.platform,
    arch: process.arch,
    bytes: bytes.length,
    sha256: hash('sha256', bytes),
  }
  const known: object = JSON.parse(readFileSync(page, 'utf8'))
  replace(page, `${JSON.stringify({ ...known, executable })}\n`)
}

/** At once, because a server may send the file meanwhile. */
function replace(path: string, content: Buffer | string): void {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}
