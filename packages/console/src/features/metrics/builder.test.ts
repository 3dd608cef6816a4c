import { expect, test } from 'vitest'
import { builderOf, expressionOf } from './builder.ts'

test.each([
  'cpu_used_millicores',
  'cpu_used_millicores{cluster="prod", pod=~"web-.*"}',
  'avg_over_time(size_bytes[1h])',
  'sum by (cluster, namespace) (memory_used_bytes{pod!=""})',
  'topk(5, sum by (cluster) (max_over_time(memory_used_bytes{pod!~"a|b"}[5m])))',
  'count(pods{cluster="a \\"b\\" \\\\ c"})',
])('%s is the same after the builder', (text) => {
  const builder = builderOf(text)
  expect(builder && expressionOf(builder)).toBe(text)
})

test.each([
  '',
  'a / b',
  'sum(a) / sum(b)',
  'rate(a[5m])',
  'a offset 5m',
  'sum without (pod) (a)',
  "a{b='c'}",
  'topk(5, a) by (b)',
  'a > 5',
  'a{b="c"',
])('%s is more than the builder shows', (text) => {
  expect(builderOf(text)).toBeUndefined()
})
