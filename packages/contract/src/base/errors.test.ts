import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorsPage } from '../../tools/errors-page.ts'

test('docs/errors.md is that of the error table', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run generate`').toBe(errorsPage())
})
