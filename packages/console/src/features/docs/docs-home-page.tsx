import { sections } from 'virtual:docs'
import { Link } from '../../ui/link.tsx'
import { DocsFrame } from './docs-frame.tsx'

/** Where the documentation begins: every page with what it answers. */
export function DocsHomePage() {
  return (
    <DocsFrame slug={undefined}>
      <div>
        <h1 className="text-title font-semibold">Documentation</h1>
        <p className="mt-1 text-text-2">
          How to use Bey, and how to run it. It comes with the server and needs no network.
        </p>
      </div>
      {sections.map(({ name, pages }) => (
        <section key={name} aria-label={name}>
          <h2 className="pb-1 text-lead font-semibold">{name}</h2>
          <ul className="grid gap-x-6 sm:grid-cols-2">
            {pages.map(({ slug, title, summary }) => (
              <li key={slug} className="border-t border-line">
                <Link href={`/docs/${slug}`} className="block h-full py-2.5 hover:bg-hover">
                  <span className="block font-medium">{title}</span>
                  <span className="text-small text-text-2">{summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocsFrame>
  )
}
