import { sections } from 'virtual:docs'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'

/** Every page in its section; the one on screen is marked. */
export function DocContents({ current }: { current: string | undefined }) {
  return (
    <nav aria-label="Documentation" className="flex flex-col gap-4 py-4">
      {sections.map(({ name, pages }) => (
        <section key={name} aria-label={name}>
          <p className="px-4 pb-1 text-small font-medium text-text-2">{name}</p>
          <ul>
            {pages.map(({ slug, title }) => (
              <li key={slug}>
                <Link
                  href={`/docs/${slug}`}
                  aria-current={slug === current ? 'page' : undefined}
                  className={cx(
                    'block border-l-2 px-3.5 py-1 hover:bg-hover',
                    slug === current ? 'border-accent font-medium' : 'border-transparent text-text-2',
                  )}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
