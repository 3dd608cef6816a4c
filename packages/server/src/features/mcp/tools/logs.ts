import type { LogRecord } from '@bey/contract'
import { z } from 'zod'
import { findObject, objectFields } from '../targets.ts'
import { readTool } from '../tool.ts'

const maxLines = 500

export const readLogs = readTool({
  name: 'read_logs',
  title: 'Read logs',
  description:
    'The last log lines of a pod, or of all pods of a workload merged by time. Credentials that stand beside a telling name are removed.',
  needs: ['kubernetes.read', 'clusters.read'],
  input: {
    ...objectFields,
    container: z.string().max(63).optional().describe('Only this container.'),
    tail: z.number().int().min(1).max(maxLines).default(100).describe('Last lines of each container.'),
    previous: z
      .boolean()
      .default(false)
      .describe('Of the run before the present one: what a crashed container said.'),
    contains: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only lines that contain this text, in any case.'),
  },
  output: {
    lines: z.array(z.object({ at: z.string(), pod: z.string(), container: z.string(), text: z.string() })),
    problems: z.array(z.string()),
  },
  async run(context, { container, tail, previous, contains, ...fields }) {
    const target = await findObject(context, fields)
    const { cluster, resource, namespace, name } = target
    const text = await context.call('kubernetes.logs', {
      params: { id: cluster.id },
      body: {
        namespace: namespace === '' ? 'default' : namespace,
        resource,
        name,
        tail,
        follow: false,
        previous: previous ? 'only' : 'no',
        ...(container !== undefined && { containers: [container] }),
      },
    })
    const { lines, problems } = linesOf(text)
    const wanted = contains?.toLowerCase()
    const found =
      wanted === undefined ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted))
    const shown = found.slice(-maxLines)
    return {
      summary:
        found.length === 0
          ? `${target.label} has no such log lines.`
          : `${found.length} log lines of ${target.label}, the last ones at the end.`,
      lines: shown,
      problems,
      leftOut:
        found.length > shown.length
          ? [`lines: the last ${shown.length} of ${found.length}. Ask for one pod, or by contains.`]
          : [],
    }
  },
})

/** The lines of a stream of records, as `kubernetes.logs` answers it. */
function linesOf(text: string) {
  const sources = new Map<number, { pod: string; container: string }>()
  const lines: { at: string; pod: string; container: string; text: string }[] = []
  const problems: string[] = []
  for (const row of text.split('\n')) {
    if (row === '') continue
    // Written by the server itself, a record a line.
    const record = JSON.parse(row) as LogRecord
    if (record.type === 'source') sources.set(record.source, { pod: record.pod, container: record.container })
    if (record.type === 'problem') problems.push(record.message)
    if (record.type !== 'lines') continue
    for (const [source, at, line] of record.lines) {
      lines.push({ at, ...(sources.get(source) ?? { pod: '', container: '' }), text: line })
    }
  }
  return { lines, problems }
}
