import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { Block, DocPage, DocPassage, DocSection } from '../../src/lib/docs.ts'
import { plainInline } from '../../src/lib/docs.ts'
import { contents, sources } from './contents.ts'
import type { Source } from './contents.ts'
import { madePages } from './made-pages.ts'
import { readMarkdown } from './read-markdown.ts'

const root = new URL('../../../../', import.meta.url)
const slugOfFile = new Map(
  sources.flatMap(({ slug, file }) => (file === undefined ? [] : [[file, slug] as const])),
)

export interface BuiltDocs {
  sections: readonly DocSection[]
  blocks: ReadonlyMap<string, readonly Block[]>
  passages: readonly DocPassage[]
}

/** Reads the whole documentation. Throws with a sentence where a page has no title or a link leads nowhere. */
export function buildDocs(): BuiltDocs {
  const read = new Map(sources.map((source) => [source.slug, readPage(source)]))
  const pageOf = (slug: string) => {
    const found = read.get(slug)
    if (!found) throw new Error(`There is no page ${slug}.`)
    return found
  }
  return {
    sections: contents.map(({ name, pages }) => ({
      name,
      pages: pages.map(({ slug }) => pageOf(slug).page),
    })),
    blocks: new Map([...read].map(([slug, { blocks }]) => [slug, blocks])),
    passages: [...read.values()].flatMap(({ page, blocks }) => passagesOf(page, blocks)),
  }
}

/** Files that the documentation is made of. */
export function documentFiles(): string[] {
  return sources.flatMap(({ file }) => (file === undefined ? [] : [new URL(file, root).pathname]))
}

function readPage(source: Source): { page: DocPage; blocks: Block[] } {
  const { slug, file } = source
  const text = file === undefined ? madePages[slug]?.(root) : readFileSync(new URL(file, root), 'utf8')
  if (text === undefined) throw new Error(`Nothing makes the page ${slug}.`)
  const [title, ...blocks] = readMarkdown(text, (target) => hrefOf(target, source))
  if (title?.kind !== 'heading' || title.level !== 1)
    throw new Error(`${file ?? slug} does not begin with its title.`)
  const first = blocks.find((block) => block.kind === 'paragraph')
  return {
    page: { slug, title: plainInline(title.of), summary: first ? firstSentence(plainInline(first.of)) : '' },
    blocks,
  }
}

/** Other pages of the documentation and addresses of the web; other files of the repository are not at hand here. */
function hrefOf(target: string, { slug, file }: Source): string | undefined {
  if (/^https?:/.test(target) || target.startsWith('/')) return target
  const [path = '', anchor] = target.split('#')
  const end = anchor === undefined ? '' : `#${anchor}`
  if (path === '') return `/docs/${slug}${end}`
  const found = slugOfFile.get(posix.normalize(posix.join(posix.dirname(file ?? 'README.md'), path)))
  return found === undefined ? undefined : `/docs/${found}${end}`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}

/** What stands below each heading, as one text. */
function passagesOf({ slug, title }: DocPage, blocks: readonly Block[]): DocPassage[] {
  const passages: DocPassage[] = [{ slug, page: title, id: '', heading: title, text: '' }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      passages.push({ slug, page: title, id: block.id, heading: plainInline(block.of), text: '' })
      continue
    }
    const last = passages.at(-1)
    if (last) last.text = `${last.text} ${textOf(block)}`.trim()
  }
  return passages
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainInline(block.of)
    case 'code':
      return block.text.replaceAll(/\s+/g, ' ')
    case 'quote':
      return block.of.map(textOf).join(' ')
    case 'list':
      return block.items.flat().map(textOf).join(' ')
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainInline).join(' ')).join(' ')
  }
}
