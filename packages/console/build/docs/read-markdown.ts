import { lexer } from 'marked'
import type { Token, Tokens } from 'marked'
import type { Block, Inline } from '../../src/lib/docs.ts'

/** The blocks of a Markdown text. `hrefOf` says where a link of it leads in the console; undefined: its words stay alone. */
export function readMarkdown(text: string, hrefOf: (target: string) => string | undefined): Block[] {
  const ids = new Map<string, number>()
  let tables = 0
  let examples = 0
  return blocks(lexer(text))

  function blocks(tokens: readonly Token[]): Block[] {
    return tokens.flatMap((token): Block[] => {
      switch (token.type) {
        case 'heading':
          return [heading(token as Tokens.Heading)]
        case 'paragraph':
        case 'text':
          return [{ kind: 'paragraph', of: inline(token.tokens ?? [token]) }]
        case 'list': {
          const { ordered, items } = token as Tokens.List
          return [{ kind: 'list', isOrdered: ordered, items: items.map((item) => blocks(item.tokens)) }]
        }
        case 'table': {
          const { header, rows } = token as Tokens.Table
          const cells = (row: Tokens.TableCell[]) => row.map((cell) => inline(cell.tokens))
          tables += 1
          return [{ kind: 'table', number: tables, head: cells(header), rows: rows.map(cells) }]
        }
        case 'code':
          examples += 1
          return [{ kind: 'code', number: examples, text: (token as Tokens.Code).text }]
        case 'blockquote':
          return [{ kind: 'quote', of: blocks(token.tokens ?? []) }]
        // Space between blocks, comments, and references that links have resolved.
        case 'space':
        case 'html':
        case 'def':
          return []
        default:
          throw new Error(
            `The documentation has no look for Markdown of the kind ${token.type}: ${token.raw}`,
          )
      }
    })
  }

  function heading({ depth, tokens }: Tokens.Heading): Block {
    const of = inline(tokens)
    const base = slugOf(textOf(tokens))
    const seen = ids.get(base) ?? 0
    ids.set(base, seen + 1)
    return { kind: 'heading', level: depth, id: seen === 0 ? base : `${base}-${seen}`, of }
  }

  function inline(tokens: readonly Token[]): Inline[] {
    return tokens.flatMap((token): Inline[] => {
      switch (token.type) {
        case 'codespan':
          return [{ kind: 'code', text: (token as Tokens.Codespan).text }]
        case 'strong':
          return [{ kind: 'strong', of: inline(token.tokens ?? []) }]
        case 'em':
          return [{ kind: 'emphasis', of: inline(token.tokens ?? []) }]
        case 'link': {
          const href = hrefOf((token as Tokens.Link).href)
          const of = inline(token.tokens ?? [])
          return href === undefined ? of : [{ kind: 'link', href, of }]
        }
        case 'br':
          return [' ']
        case 'escape':
          return [(token as Tokens.Escape).text]
        case 'text': {
          const { text: words, tokens: within } = token as Tokens.Text
          // A line of the source ends where its writer broke it, not where the reader's does.
          return within ? inline(within) : [words.replaceAll('\n', ' ')]
        }
        default:
          throw new Error(
            `The documentation has no look for Markdown of the kind ${token.type}: ${token.raw}`,
          )
      }
    })
  }
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('')
}

/** As other renderers of Markdown name headings, so that links lead there in both. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}
