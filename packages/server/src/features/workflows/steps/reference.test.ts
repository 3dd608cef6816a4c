import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { expressionLimits } from '../definition/expressions/limits.ts'
import { eventReference, functionReference, stepTypeReference } from './reference.ts'
import { createStepTypes } from './registry.ts'
import { describingParts } from './testing/describing-parts.ts'

const page = readFileSync(new URL('../../../../../../docs/workflows.md', import.meta.url), 'utf8')
const types = createStepTypes(describingParts)

function between(name: string): string {
  return page.split(`<!-- ${name} -->\n`)[1]?.trim() ?? ''
}

test('docs/workflows.md describes each type of step as the registry does', () => {
  expect(between('step types')).toBe(stepTypeReference(types))
})

test('README.md counts the types of steps as the registry does', () => {
  const readme = readFileSync(new URL('../../../../../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`graphs of ${types.size} types of steps`)
})

test('docs/workflows.md lists the functions and limits of expressions', () => {
  expect(between('functions')).toContain(functionReference())
  expect(page).toContain(`${expressionLimits.chars.toLocaleString('en')} characters`)
  expect(page).toContain(`${expressionLimits.steps.toLocaleString('en')} operations`)
})

test('docs/workflows.md lists the fields of events', () => {
  expect(between('events')).toBe(eventReference())
})

test('the example of each type fits its own schema, apart from templates', () => {
  for (const type of types.values()) {
    const withoutTemplates = JSON.stringify(type.example).includes('{{')
    if (!withoutTemplates) expect(type.config.safeParse(type.example).success, type.type).toBe(true)
  }
})
