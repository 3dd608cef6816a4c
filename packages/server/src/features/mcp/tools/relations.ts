import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { readTool } from '../tool.ts'

export const blastRadius = readTool({
  name: 'blast_radius',
  title: 'Blast radius',
  description:
    'What the failure or the deletion of a resource reaches, and when. Ask before you change or delete anything.',
  needs: ['analytics.read'],
  input: {
    resource: z
      .string()
      .min(1)
      .max(600)
      .describe('Id of the resource as search_resources answers it, or part of its name.'),
    act: z.enum(['fails', 'deleted']).default('fails'),
  },
  output: {
    resource: z.string(),
    reaches: z.number(),
    effects: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        namespace: z.string().nullable(),
        effect: z.string(),
        when: z.string(),
        because: z.string(),
      }),
    ),
    goesWith: z.string(),
    unused: z.string(),
  },
  async run({ call }, { resource: text, act }) {
    const id = text.includes(':') ? text : await idOf(text)
    const found = await call('relations.impact', { query: { id, act } })
    const { resource, rows, rowTotal, total, goesWith, unused, gaps } = found
    return {
      summary: found.text,
      resource: `${resource.kind} ${resource.namespace === null ? '' : `${resource.namespace}/`}${resource.name}`,
      reaches: total,
      effects: rows.map(({ kind, name, namespace, text: effect, when, by }) => ({
        kind,
        name,
        namespace,
        effect,
        when,
        because: by,
      })),
      goesWith: goesWith.text,
      unused: unused.text,
      leftOut: [
        ...(rowTotal > rows.length ? [`effects: the earliest ${rows.length} of ${rowTotal}.`] : []),
        ...gaps.slice(0, 10).map(({ source, reason }) => `${source} could not be read: ${reason}`),
      ],
    }

    async function idOf(name: string): Promise<string> {
      const { resources } = await call('relations.find', { query: { search: name } })
      const exact = resources.filter((each) => each.name === name)
      const [only, ...others] = exact.length > 0 ? exact : resources
      if (only === undefined) throw new AppError('not_found', `No resource has "${name}" in its name.`)
      if (others.length === 0) return only.id
      const ids = [only, ...others].slice(0, 10).map((each) => each.id)
      throw new AppError(
        'conflict',
        `Several resources match "${name}": ${ids.join(', ')}. Give the id of one.`,
      )
    }
  },
})
