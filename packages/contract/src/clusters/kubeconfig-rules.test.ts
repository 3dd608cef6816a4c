import { expect, test } from 'vitest'
import { isDnsLabel } from '../base/dns-rules.ts'
import { titleOfContext } from './kubeconfig-rules.ts'

test.each([
  ['prod-us-2', 'prod-us-2'],
  ['partner / shop', 'partner-shop'],
  ['arn:aws:eks:eu-central-1:123456789012:cluster/prod', 'prod'],
  ['gke_my-project_europe-west1-b_prod', 'prod'],
  ['kubernetes-admin@kubernetes', 'kubernetes'],
  ['Ünïcode', 'n-code'],
  ['***', 'cluster'],
])('the context %s is called %s', (context, title) => {
  expect(titleOfContext(context)).toBe(title)
})

test('a title that is taken gets a number, and stays a label', () => {
  expect(titleOfContext('prod', ['prod', 'prod-2'])).toBe('prod-3')
  expect(isDnsLabel(titleOfContext('-x-'.repeat(60)))).toBe(true)
})
