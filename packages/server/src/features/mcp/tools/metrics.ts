import { z } from 'zod'
import { readTool } from '../tool.ts'

const nullableText = z.string().nullable()

export const listMetrics = readTool({
  name: 'list_metrics',
  title: 'List metrics',
  description:
    'Names of the metrics of the organization with their meaning, unit and labels, for query_metrics.',
  needs: ['analytics.read'],
  input: { contains: z.string().max(100).optional().describe('Part of the name or of the meaning.') },
  output: {
    metrics: z.array(
      z.object({ name: z.string(), meaning: nullableText, unit: nullableText, labels: z.array(z.string()) }),
    ),
  },
  async run({ call }, { contains = '' }) {
    const wanted = contains.toLowerCase()
    const { metrics } = await call('metrics.catalog')
    const found = metrics.filter(({ name, meaning }) =>
      `${name} ${meaning ?? ''}`.toLowerCase().includes(wanted),
    )
    return {
      summary: `${found.length} metrics.`,
      metrics: found.map(({ name, meaning, unit, labels }) => ({ name, meaning, unit, labels })),
    }
  },
})

export const queryMetrics = readTool({
  name: 'query_metrics',
  title: 'Query metrics',
  description:
    'Evaluates a PromQL expression over the last minutes: for each series its labels, first, last, least and greatest value, and about 30 values in between.',
  needs: ['analytics.read'],
  input: {
    expression: z.string().min(1).max(2_000).describe('PromQL, such as topk(5, container_memory_bytes).'),
    minutes: z.number().int().min(5).max(43_200).default(60),
  },
  output: {
    from: z.string(),
    to: z.string(),
    stepSeconds: z.number(),
    unit: nullableText,
    series: z.array(
      z.object({
        name: nullableText,
        labels: z.record(z.string(), z.string()),
        first: z.number().nullable(),
        last: z.number().nullable(),
        least: z.number().nullable(),
        greatest: z.number().nullable(),
        values: z.array(z.number().nullable()),
      }),
    ),
    warnings: z.array(z.string()),
  },
  async run({ call }, { expression, minutes }) {
    const range = minutes * 60
    const found = await call('metrics.query', {
      query: { expr: expression, range, step: Math.max(15, Math.round(range / 30)) },
    })
    const { series, seriesCount } = found
    return {
      summary: `${seriesCount} series over the last ${minutes} minutes.`,
      from: found.from,
      to: found.to,
      stepSeconds: found.stepMs / 1000,
      unit: found.unit,
      series: series.map(({ name, labels, values }) => ({ name, labels, ...extremes(values), values })),
      warnings: found.warnings,
      leftOut:
        seriesCount > series.length
          ? [`series: ${series.length} of ${seriesCount}, those with the highest values.`]
          : [],
    }
  },
})

function extremes(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null)
  return {
    first: known[0] ?? null,
    last: known.at(-1) ?? null,
    least: known.length === 0 ? null : Math.min(...known),
    greatest: known.length === 0 ? null : Math.max(...known),
  }
}
