import { expect, test } from 'vitest'
import { filledExpression, seriesLabel } from './rules.ts'
import { boardDefinition } from './endpoints.ts'
import { readyBoards } from './ready-boards.ts'

test('a variable becomes a regular expression of the chosen names, and all of them match anything', () => {
  const expr = 'nodes{cluster=~"$cluster"}'
  expect(filledExpression(expr, {})).toBe('nodes{cluster=~".+"}')
  expect(filledExpression(expr, { cluster: ['prod', 'staging'] })).toBe('nodes{cluster=~"prod|staging"}')
  expect(filledExpression('nodes{cluster=~"$clusters"}', { cluster: ['a'] })).toBe(
    'nodes{cluster=~"$clusters"}',
  )
})

test('a chosen name cannot leave its string, nor match other names', () => {
  expect(filledExpression('a{cluster=~"$cluster"}', { cluster: ['x"} or b{y="'] })).toBe(
    'a{cluster=~"x\\"\\\\} or b\\\\{y=\\""}',
  )
  expect(filledExpression('"$cluster"', { cluster: ['a.b'] })).toBe('"a\\\\.b"')
})

test('a legend is filled with labels; without one all labels are the name', () => {
  const series = { name: 'nodes', labels: { cluster: 'prod', entity: 'cluster', id: '1', node: 'n1' } }
  expect(seriesLabel('{{ cluster }}/{{node}}', series)).toBe('prod/n1')
  expect(seriesLabel('', series)).toBe('prod · n1')
  expect(seriesLabel('{{nothing}}', { name: 'nodes', labels: {} })).toBe('nodes')
})

test.each(Object.entries(readyBoards))('the ready board %s can be stored as it is', (_, { definition }) => {
  expect(boardDefinition.parse(definition)).toEqual(definition)
})
