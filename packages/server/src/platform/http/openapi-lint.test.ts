import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { openApiOf } from './openapi.ts'

test('the document holds no error under the rules of Spectral for OpenAPI', async () => {
  const linter = new spectralCore.Spectral()
  // Its own types do not know that its rules are a whole set.
  const rules = spectralRulesets.oas as unknown as RulesetDefinition
  linter.setRuleset({ extends: [[rules, 'recommended']], rules: {} })
  const found = await linter.run({ ...openApiOf('1') })
  const errors = found.filter(({ severity }) => severity === 0)
  expect(errors.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)).toEqual([])
})
