// `npm run new-noun -- widgets [widget]`: makes the files of a new type of thing from the templates, with its table,
// migration, routes and tests, and adds it to the lists of nouns. What it makes passes every check as it is.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { edited, edits } from './new-noun/edits.ts'
import { filled, nounOf } from './new-noun/names.ts'
import { root } from './source-files.ts'

const templates = join(import.meta.dirname, 'new-noun/templates')

function newNoun(plural: string | undefined, singular: string | undefined): void {
  const noun = nounOf(plural, singular)
  const made = readdirSync(templates, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.template'))
    .map((path) => ({
      path: filled(path.replace(/\.template$/, ''), noun),
      text: filled(readFileSync(join(templates, path), 'utf8'), noun),
    }))
  const taken = made.find(({ path }) => existsSync(join(root, path)))
  if (taken) throw new Error(`${taken.path} exists already. Choose another noun.`)

  for (const { path, text } of made) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const edit of edits) {
    const path = join(root, edit.path)
    writeFileSync(path, edited(readFileSync(path, 'utf8'), { ...edit, text: filled(edit.text, noun) }))
  }
  const lists = [...new Set(edits.map(({ path }) => path))]
  run(
    'oxfmt',
    [...made, ...lists.map((path) => ({ path }))].map(({ path }) => path),
  )
  run(process.execPath, ['packages/contract/tools/generate.ts'])
  run(process.execPath, ['tools/migration.mjs', noun.plural])
  console.log(
    [
      '',
      `Made ${made.length} files and a migration; edited:`,
      ...lists.map((path) => `  ${path}`),
      '  packages/contract/src/routes.generated.ts',
      '  packages/server/migrations/meta/_journal.json',
      `Its place in the sidebar and its icon stand in packages/contract/src/${noun.plural}/entity.ts.`,
    ].join('\n'),
  )
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

try {
  const [plural, singular] = process.argv.slice(2)
  newNoun(plural, singular)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
