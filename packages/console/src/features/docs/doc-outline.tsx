import type { Block } from '../../lib/docs.ts'
import { plainInline } from '../../lib/docs.ts'
import { Link } from '../../ui/link.tsx'

/** The headings of a page that is long enough to have some. */
export function DocOutline({ slug, blocks }: { slug: string; blocks: readonly Block[] }) {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block] : []))
  if (headings.length < 2) return null
  return (
    <nav aria-label="On this page" className="text-small">
      <p className="pb-1.5 font-medium">On this page</p>
      <ul className="flex flex-col gap-1.5">
        {headings.map(({ id, of }) => (
          <li key={id}>
            <Link href={`/docs/${slug}#${id}`} className="text-text-2 hover:text-text hover:underline">
              {plainInline(of)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
