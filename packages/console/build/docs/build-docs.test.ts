import { expect, test } from 'vitest'
import { permissionTable } from '@bey/contract/base/permissions'
import type { Block, Inline } from '../../src/lib/docs.ts'
import { buildDocs } from './build-docs.ts'
import { readMarkdown } from './read-markdown.ts'

const { sections, blocks, passages } = buildDocs()
const pages = sections.flatMap((section) => section.pages)

function linksOf(parts: readonly (Block | Inline)[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'code') return []
    if (part.kind === 'list') return linksOf(part.items.flat())
    if (part.kind === 'table') return linksOf([part.head, ...part.rows].flat(2))
    return [...(part.kind === 'link' ? [part.href] : []), ...linksOf(part.of)]
  })
}

test('every page has a title of its own and says in a sentence what it is about', () => {
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length)
  for (const { slug, summary } of pages) expect(summary, slug).toMatch(/\w/)
})

test('every link within the documentation leads to a page, and to a heading of it', () => {
  const broken = [...blocks].flatMap(([slug, page]) =>
    linksOf(page)
      .filter((href) => href.startsWith('/docs/'))
      .filter((href) => {
        const [path = '', id] = href.slice('/docs/'.length).split('#')
        const target = blocks.get(path)
        const has = target?.some((block) => block.kind === 'heading' && block.id === id)
        return target === undefined || (id !== undefined && !has)
      })
      .map((href) => `${slug}: ${href}`),
  )
  expect(broken).toEqual([])
})

test('the page of permissions names each with its role, and is searched as the others are', () => {
  const table = blocks.get('reference/permissions')?.find((block) => block.kind === 'table')
  expect(table?.rows.length).toBe(Object.keys(permissionTable).length)
  expect(passages.some(({ text }) => text.includes('secrets.reveal'))).toBe(true)
  expect(passages.some(({ text }) => text.includes('BEY_TRUSTED_PROXIES'))).toBe(true)
})

test('Markdown is read as it is written', () => {
  const text =
    '# One\n\nSome `code`, **strong**\nand a [link](b.md#x).\n\n- a\n  - b\n\n| h |\n|---|\n| c |\n\n```sh\nls\n```\n\n## One\n'
  expect(readMarkdown(text, (target) => (target === 'b.md#x' ? '/docs/b#x' : undefined))).toEqual([
    { kind: 'heading', level: 1, id: 'one', of: ['One'] },
    {
      kind: 'paragraph',
      of: [
        'Some ',
        { kind: 'code', text: 'code' },
        ', ',
        { kind: 'strong', of: ['strong'] },
        ' and a ',
        { kind: 'link', href: '/docs/b#x', of: ['link'] },
        '.',
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [
          { kind: 'paragraph', of: ['a'] },
          { kind: 'list', isOrdered: false, items: [[{ kind: 'paragraph', of: ['b'] }]] },
        ],
      ],
    },
    { kind: 'table', number: 1, head: [['h']], rows: [[['c']]] },
    { kind: 'code', number: 1, text: 'ls' },
    { kind: 'heading', level: 2, id: 'one-1', of: ['One'] },
  ])
  expect(() => readMarkdown('---\n', () => undefined)).toThrow('no look for Markdown of the kind hr')
})
