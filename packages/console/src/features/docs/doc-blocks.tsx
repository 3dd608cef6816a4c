import { Fragment } from 'react'
import type { ReactNode } from 'react'
import type { Block, Inline } from '../../lib/docs.ts'
import { plainInline } from '../../lib/docs.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Link } from '../../ui/link.tsx'

/** Blocks of a page of the documentation. They never change, so their places name them. */
export function DocBlocks({ blocks }: { blocks: readonly Block[] }) {
  // oxlint-disable-next-line react/no-array-index-key
  return blocks.map((block, index) => <DocBlock key={index} block={block} />)
}

function DocBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} id={block.id} of={block.of} />
    case 'paragraph':
      return (
        <p>
          <Words of={block.of} />
        </p>
      )
    case 'code':
      return <CodeBlock text={block.text} label={`Example ${block.number}`} maxHeight="none" />
    case 'quote':
      return (
        <blockquote className="flex flex-col gap-3 border-l-2 border-line-strong pl-4 text-text-2">
          <DocBlocks blocks={block.of} />
        </blockquote>
      )
    case 'list':
      return <List isOrdered={block.isOrdered} items={block.items} />
    case 'table':
      return <DocTable number={block.number} head={block.head} rows={block.rows} />
  }
}

function Heading({ level, id, of }: { level: number; id: string; of: readonly Inline[] }) {
  const Tag = level <= 2 ? 'h2' : level === 3 ? 'h3' : 'h4'
  return (
    <Tag
      id={id}
      className={
        level <= 2
          ? 'mt-5 scroll-mt-6 text-lead font-semibold first:mt-0'
          : 'mt-2 scroll-mt-6 font-semibold first:mt-0'
      }
    >
      <Words of={of} />
    </Tag>
  )
}

function List({ isOrdered, items }: { isOrdered: boolean; items: readonly Block[][] }) {
  const Tag = isOrdered ? 'ol' : 'ul'
  return (
    <Tag
      className={`flex flex-col gap-1.5 pl-5 ${isOrdered ? 'list-decimal' : 'list-disc'} marker:text-text-3`}
    >
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="pl-1">
          <div className="flex flex-col gap-1.5">
            <DocBlocks blocks={item} />
          </div>
        </li>
      ))}
    </Tag>
  )
}

/** A wide table scrolls in its own frame; the page never does. */
function DocTable({
  number,
  head,
  rows,
}: {
  number: number
  head: readonly Inline[][]
  rows: readonly Inline[][][]
}) {
  return (
    <section
      aria-label={`Table ${number}: ${head.map(plainInline).join(', ')}`}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line"
    >
      <table className="w-full text-left">
        <thead className="border-b border-line text-small text-text-2">
          <tr>
            {head.map((cell, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={index} scope="col" className="px-3 py-2 font-medium">
                <Words of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {row.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column} className="min-w-24 px-3 py-2 align-top">
                  <Words of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Words({ of }: { of: readonly Inline[] }): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key
  return of.map((part, index) => <Fragment key={index}>{inlineNode(part)}</Fragment>)
}

function inlineNode(part: Inline): ReactNode {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'code':
      return (
        <code className="rounded-badge bg-active px-1 font-mono text-small break-words">{part.text}</code>
      )
    case 'strong':
      return (
        <strong className="font-semibold">
          <Words of={part.of} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Words of={part.of} />
        </em>
      )
    case 'link':
      return <DocLink href={part.href} of={part.of} />
  }
}

/** Pages of the console open in it, addresses of the web beside it. */
function DocLink({ href, of }: { href: string; of: readonly Inline[] }) {
  const className = 'underline decoration-line-strong underline-offset-2 hover:decoration-current'
  if (href.startsWith('/')) {
    return (
      <Link href={href} className={className}>
        <Words of={of} />
      </Link>
    )
  }
  return (
    <a href={href} target="_blank" rel="noreferrer" className={className}>
      <Words of={of} />
    </a>
  )
}
