// `npm run coverage:mutate`: breaks the code in each way of `tools/mutations`, and sees the named test fail. Writes the
// result to docs/specification-coverage.md. `-- <word>` tries those whose row, file or test holds the word, and writes
// nothing. Takes a quarter of an hour; the edited file is put back after each, also when the command is interrupted.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutations } from './mutations/table.ts'
import { root } from './source-files.ts'
import { failedFilesInVitest, failedInPlaywright } from './test-reports.mjs'
import { ensureBuilt, ensureInstalled, run } from './workspace.mjs'

const coveragePath = join(root, 'docs/specification-coverage.md')
const reports = mkdtempSync(join(tmpdir(), 'bey-mutate-'))
const word = process.argv[2]
const chosen = word
  ? mutations.filter(({ row, file, test }) => `${row} ${file} ${test}`.includes(word))
  : mutations

await ensureInstalled()
refuseUncommitted(chosen.map(({ file }) => file))
const outcomes = []
for (const mutation of chosen) {
  const outcome = await outcomeOf(mutation)
  outcomes.push(outcome)
  console.log(`${outcome}: ${mutation.row} — ${mutation.file}`)
}
rmSync(reports, { recursive: true })
const missed = outcomes.filter((outcome) => outcome !== 'noticed').length
if (!word && missed === 0) writeResult()
console.log(`${outcomes.length - missed} noticed, ${missed} not`)
process.exit(missed === 0 ? 0 : 1)

/** Edits the file, runs the test and puts the file back: `noticed`, `not noticed` or `failed otherwise`. */
async function outcomeOf(mutation) {
  const path = join(root, mutation.file)
  const original = readFileSync(path, 'utf8')
  const restore = () => writeFileSync(path, original)
  const stop = () => {
    restore()
    process.exit(130)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    writeFileSync(
      path,
      original.replace(mutation.from, () => mutation.to),
    )
    const failed = mutation.test.endsWith('.e2e.ts')
      ? await failedInBrowser(mutation)
      : await failedTitles(mutation)
    if (failed.length === 0) return 'not noticed'
    return failed.some((name) => isTitle(name, mutation.title)) ? 'noticed' : 'failed otherwise'
  } finally {
    restore()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

async function failedTitles({ test, title }) {
  const report = join(reports, 'vitest.json')
  const pattern = title.split(/%[a-z]/)[0] ?? ''
  const { code } = await run(
    'vitest',
    ['run', test, '-t', escaped(pattern), '--reporter=json', `--outputFile=${report}`],
    { capture: true },
  )
  if (code === 0) return []
  return failedFilesInVitest(JSON.parse(readFileSync(report, 'utf8'))).flatMap(({ failures }) =>
    failures.map(({ name }) => name),
  )
}

async function failedInBrowser({ test, title }) {
  await ensureBuilt()
  const report = join(reports, 'playwright.json')
  const { code } = await run(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', test, '-g', escaped(title)],
    { capture: true, env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } },
  )
  if (code === 0) return []
  return failedInPlaywright(JSON.parse(readFileSync(report, 'utf8'))).map(({ name }) => name)
}

/** Whether the name of a failed test ends with the title, whose `%s` stand for anything. */
function isTitle(name, title) {
  return new RegExp(
    title
      .split(/%[a-z]/)
      .map(escaped)
      .join('.*'),
  ).test(name)
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function refuseUncommitted(files) {
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  if (changed === '') return
  console.error(`Commit these first, for each is edited and put back:\n${changed}`)
  process.exit(1)
}

/** Replaces the last section of the coverage by the mutations that were noticed just now. */
function writeResult() {
  const coverage = readFileSync(coveragePath, 'utf8')
  const [before = ''] = coverage.split(/^## Proved by breaking the code$/m)
  const lines = mutations.map(
    ({ row, file, test, title }) => `- ${row}…: \`${file}\` → \`${test}\` › ${title}`,
  )
  writeFileSync(
    coveragePath,
    `${before.trimEnd()}\n\n## Proved by breaking the code\n\n` +
      'For each of these rows `npm run coverage:mutate` edited the file as `tools/mutations` says, ran the test, and saw it\n' +
      `fail.\n\n${lines.join('\n')}\n`,
  )
}
