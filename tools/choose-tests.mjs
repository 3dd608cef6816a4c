// Which tests a call of `npm test` asks for, as arguments of the two runners.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './workspace.mjs'

/**
 * Without arguments everything; with paths the tests below them; with `--changed` what depends on a change.
 * `vitest` and `playwright` are the arguments of each runner, undefined where it has nothing to do.
 * @param {string[]} args
 * @returns {{ isEverything: boolean, vitest?: string[], playwright?: string[] }}
 */
export function chooseTests(args) {
  if (args.length === 0) return { isEverything: true, vitest: [], playwright: [] }
  if (args.includes('--changed')) return changedTests()
  const inBrowser = args.filter(isBrowserTest)
  const others = args.filter((path) => !isBrowserTest(path))
  return {
    isEverything: false,
    vitest: others.length > 0 ? others : undefined,
    playwright: inBrowser.length > 0 ? inBrowser : undefined,
  }
}

/** Vitest follows imports; browser tests run where they were changed themselves. */
function changedTests() {
  const since = git('merge-base', 'HEAD', 'main')
  const inBrowser =
    `${git('diff', '--name-only', since)}\n${git('ls-files', '--others', '--exclude-standard')}`
      .split('\n')
      .filter((path) => path.endsWith('.e2e.ts') && existsSync(`${root}/${path}`))
  return {
    isEverything: false,
    vitest: ['--changed', since, '--passWithNoTests'],
    playwright: inBrowser.length > 0 ? inBrowser : undefined,
  }
}

function isBrowserTest(path) {
  return path.startsWith('e2e') || path.endsWith('.e2e.ts')
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`)
  return stdout.trim()
}
