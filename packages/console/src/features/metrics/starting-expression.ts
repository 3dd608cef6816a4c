import type { CatalogMetric } from '@bey/contract'
import { expressionOf } from './builder.ts'

/** The expression that shows a metric as it is: the entities as a whole where some of its series are of parts. */
export function wholeExpression({ name, entity, labels }: CatalogMetric): string {
  const own = labels.filter((label) => !['entity', 'id', entity.toLowerCase()].includes(label))
  const filters = ['namespace', 'node']
    .filter((label) => own.includes(label))
    .map((label) => ({ label, operator: '=', value: '' }) as const)
  return expressionOf({ metric: name, filters })
}

/** What the explorer shows first: the first metric that has a value now. */
export function startingExpression(metrics: readonly CatalogMetric[]): string {
  const first =
    metrics.find(({ name }) => name === 'cpu_used_millicores') ??
    metrics.find(({ lastValue }) => lastValue !== null) ??
    metrics[0]
  return first ? wholeExpression(first) : ''
}
