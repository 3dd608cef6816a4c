import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs a module beside this file and answers what it prints. */
async function printed(source: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: import.meta.dirname,
  })
  return JSON.parse(stdout)
}

const count = `
  import { registerHooks } from 'node:module'
  const seen = []
  registerHooks({ resolve(specifier, context, next) { seen.push(specifier); return next(specifier, context) } })`
const tables = `
  await import('../tables/secrets.ts')
  await import('../tables/webhooks.ts')
  console.log(JSON.stringify(seen.filter((each) => each === 'drizzle-orm/pg-core').length))`

test('a package that many files import is resolved once', async () => {
  expect(await printed(`${count}; ${tables}`)).toBeGreaterThan(1)
  expect(await printed(`${count}; await import('./resolve-once.ts'); ${tables}`)).toBe(1)
})

test('a package that is missing is refused as always, and named', async () => {
  const message = `await import('./resolve-once.ts')
    const text = await import('no-such-package').catch((error) => error.message)
    console.log(JSON.stringify(text))`
  expect(await printed(message)).toContain('no-such-package')
})

test('a file that is missing is refused with its path', async () => {
  const missing = `await import('./resolve-once.ts')
    const { rmSync, writeFileSync } = await import('node:fs')
    writeFileSync('./names-a-missing-file.ts', "import './is-not-there.ts'")
    const text = await import('./names-a-missing-file.ts').catch((error) => error.message)
    rmSync('./names-a-missing-file.ts')
    console.log(JSON.stringify(text))`
  expect(await printed(missing)).toContain('is-not-there.ts')
})
