import { expect, test } from 'vitest'
import { selectedText } from './rule-text.ts'

const name = 'kubernetes.io/metadata.name'

test.each([
  [{ matchLabels: { [name]: 'shop' } }, 'all pods of the namespace shop'],
  [
    { matchExpressions: [{ key: name, operator: 'In', values: ['data', 'shop'] }] },
    'all pods of the namespaces data, shop',
  ],
  [{ matchLabels: { team: 'a' } }, 'all pods of namespaces team=a'],
  [{ matchLabels: { [name]: 'shop', team: 'a' } }, `all pods of namespaces ${name}=shop,team=a`],
  [
    { matchExpressions: [{ key: name, operator: 'NotIn', values: ['shop'] }] },
    /^all pods of namespaces .*shop/,
  ],
  [{}, 'all pods of all namespaces'],
  ['shop', 'all pods of shop'],
])('namespaces %o are "%s"', (namespaces, text) => {
  expect(selectedText({}, namespaces)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
})
