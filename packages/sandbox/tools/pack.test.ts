import { execFileSync } from 'node:child_process'
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
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const modules = join(root, '../../node_modules')

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-pack-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('the package that npm packs runs where nothing of the repository is', () => {
  // Packing changes package.json for a moment, which programs that run beside this test must not see.
  const copy = join(dir, 'packages/sandbox')
  cpSync(root, copy, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  cpSync(join(root, '../../tsconfig.base.json'), join(dir, 'tsconfig.base.json'))
  symlinkSync(modules, join(dir, 'node_modules'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', dir], { cwd: copy, stdio: 'pipe' })
  const left = readdirSync(copy)
  expect(left).not.toContain('dist')
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  rmSync(join(dir, 'node_modules'))

  // As an installation lays it out, its dependencies beside it.
  const home = join(dir, 'node_modules/@bey/sandbox')
  mkdirSync(home, { recursive: true })
  const [tarball = ''] = readdirSync(dir).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['xzf', join(dir, tarball), '-C', home, '--strip-components=1'])
  const manifest: { dependencies: Record<string, string>; bin: Record<string, string> } = JSON.parse(
    readFileSync(join(home, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(join(dir, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(modules, name), join(dir, 'node_modules', name))
  }
  expect(readdirSync(home).toSorted()).toEqual(['README.md', 'dist', 'generated', 'package.json'])

  const script = `
    import { startSandbox } from '@bey/sandbox'
    const sandbox = await startSandbox({ dir: 'state', nodes: [] })
    await sandbox.stop()
    console.log(sandbox.url)`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: dir })
  expect(said.toString()).toMatch(/^https:\/\/127\.0\.0\.1:\d+\n$/)
  expect(existsSync(join(home, manifest.bin['bey-sandbox'] ?? ''))).toBe(true)
})
