import type { Call } from './call.ts'
import type { Marks } from './marks.ts'

const maxPages = 100

/** Everything that has a label, by its id in the inventory, such as `webhook:0198…`, or the like of it. */
export async function labelled(call: Call, marks: Marks, label: string): Promise<Set<string>> {
  const ids = new Set(await marks.labelled(label))
  for (let page = 1; page <= maxPages; page += 1) {
    const { resources } = await call('resources.list', {
      query: { query: `tag:"${label}"`, page, limit: 200 },
    })
    // Rows of the inventory.
    const rows = resources as { id: string; tags: string[] }[]
    // Labels of Kubernetes match as well; only tags mark.
    for (const { id, tags } of rows) if (tags.includes(label)) ids.add(id)
    if (rows.length < 200) break
  }
  return ids
}
