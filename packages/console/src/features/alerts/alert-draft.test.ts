import { expect, test } from 'vitest'
import { draftProblems, filledDraft, ruleOf } from './alert-draft.ts'

test('a query of the inventory fires for each match at once, unless something else is chosen', () => {
  const draft = filledDraft({ source: 'resources', expr: 'kind:secret expires:<14d', name: 'Ending' })
  expect(ruleOf(draft)).toMatchObject({
    source: 'resources',
    expr: 'kind:secret expires:<14d',
    condition: { kind: 'match' },
    forMs: 0,
  })
  expect(draftProblems({ ...draft, expr: '' })).toEqual({ expr: 'Enter a query.' })
  expect(draftProblems({ ...draft, kind: 'forecast', limit: '1' })).toHaveProperty('condition')
  expect(draftProblems({ ...draft, source: 'metrics' })).toHaveProperty('condition')
})
