// Part of `npm test`: makes a noun in a copy of the repository, and runs types, lint, format and the tests that a noun
// brings or changes. It has to be green at once, with few edited files. Types and lint of the repository itself are those
// of the copy, and of the files that the noun edits.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { root } from '../source-files.ts'

type Command = [string, ...string[]]

const noun = 'storage-buckets'
const maxEdited = 8
const tests = [
  'tools/architecture.test.ts',
  'tools/migrations.test.ts',
  'packages/contract/src',
  'packages/cli/build',
  `packages/server/src/features/${noun}`,
  'packages/server/src/platform/db/entity-exists.test.ts',
  'packages/server/src/platform/db/isolation.test.ts',
  'packages/console/src/app/all-routes.dom.test.ts',
  'packages/console/src/entities',
]
const sweep = ['packages/server/src/sweep.test.ts', '-t', 'storageBuckets|features bring']

const copy = mkdtempSync(join(tmpdir(), 'bey-new-noun-'))
try {
  copyRepository()
  const before = files()
  await run({ command: ['node', 'tools/new-noun.ts', noun], cwd: copy })
  const edited = before.filter(
    (path) =>
      existsSync(join(copy, path)) && !readFileSync(join(copy, path)).equals(readFileSync(join(root, path))),
  )
  if (edited.length > maxEdited)
    throw new Error(
      `A noun edits ${edited.length} files, at most ${maxEdited} are allowed:\n${edited.join('\n')}`,
    )
  const made = files().filter((path) => !before.includes(path) && /\.tsx?$/.test(path))
  // The long ones first, two at a time, as in `npm run check`.
  const editedCode = edited.filter((path) => /\.tsx?$/.test(path))
  const formatted = [...made, ...editedCode].filter((path) => !path.includes('.generated.'))
  const lint: Command = ['oxlint', '--type-aware', '--type-check', '--quiet']
  const queue: { command: Command; cwd: string }[] = [
    { command: lint, cwd: copy },
    { command: [...lint, ...editedCode], cwd: root },
    { command: ['vitest', 'run', '--reporter=dot', ...tests], cwd: copy },
    { command: ['vitest', 'run', '--reporter=dot', ...sweep], cwd: copy },
    { command: ['oxfmt', '--check', ...formatted], cwd: copy },
  ]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await run(next)
  }
  await Promise.all([worker(), worker()])
  console.log(`A new noun edits ${edited.length} files and is green.`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** What git would commit, with the installed packages as links. */
function copyRepository(): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of new Set(listed.trim().split('\n')))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  for (const folder of ['.', ...packages]) linkModules(join(folder, 'node_modules'))
}

function linkModules(folder: string): void {
  const from = join(root, folder)
  if (!existsSync(from)) return
  mkdirSync(join(copy, folder))
  for (const name of readdirSync(from)) {
    // The links of the workspace are relative, and lead into the copy.
    if (name === '.cache') continue
    if (name === '@bey')
      cpSync(join(from, name), join(copy, folder, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(copy, folder, name))
  }
}

function files(): string[] {
  return readdirSync(copy, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(copy.length + 1))
}

async function run(next: { command: Command; cwd: string }): Promise<void> {
  const { cwd } = next
  const [command, ...args] = next.command
  const startedAt = performance.now()
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)))
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${[command, ...args].slice(0, 3).join(' ')} (${seconds} s)`)
  if (code !== 0) throw new Error(output)
}
