import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tools } from './table.ts'

test('the documentation lists every tool with what it needs, and when a person is asked', async () => {
  const page = await readFile(new URL('../../../../../../docs/mcp.md', import.meta.url), 'utf8')
  const rows = tools.map(({ name, title, needs, ...tool }) => {
    const asks = tool.effect === 'read' ? '' : tool.mayDestroy ? 'if it destroys' : 'no'
    return `| \`${name}\` | ${title} | ${needs.map((each) => `\`${each}\``).join(', ')} | ${asks} |`
  })
  const table = ['| tool | for | needs | asks a person |', '|---|---|---|---|', ...rows].join('\n')
  expect(page).toContain(table)
})

test('names are unlike, and no tool that reads could change anything', () => {
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, effect, needs } of tools)
    if (effect === 'read') expect([name, needs.filter((each) => !each.endsWith('.read'))]).toEqual([name, []])
})
