import { useMatches } from '@tanstack/react-router'
import { ArrowRight, Hammer } from 'lucide-react'
import { Link } from '../../ui/link.tsx'
import { messagePlacement } from '../../ui/message-placement.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { unbuiltScreens, unknownScreen } from './unbuilt-screens.ts'

/** A screen that is planned: says so, what it will be for, and what works today. Never an invented figure. */
export function UnbuiltPage() {
  const route = useMatches({ select: (matches) => matches.at(-1) })
  const screen = unbuiltScreens[route?.fullPath.replace(/(.)\/$/, '$1') ?? ''] ?? unknownScreen
  return (
    <>
      <PageHeader title={route?.staticData.title ?? 'Not built yet'} description={screen.about} />
      <section aria-label="State of this screen" data-message="" className={messagePlacement}>
        <Hammer size={16} strokeWidth={1.75} aria-hidden className="mb-2 text-text-3" />
        <div>
          <h2 className="font-medium">Not built yet</h2>
          <p className="mt-0.5 text-text-2">
            This screen has an address but no contents so far. Nothing you have is missing: there is nothing
            to show here until it is built.
          </p>
          <h3 className="mt-4 text-small font-medium text-text-3">What works today</h3>
          <ul className="mt-1 flex flex-col gap-0.5">
            {screen.meanwhile.map((each) => (
              <li key={each.href}>
                <Link
                  href={each.href}
                  className="group inline-flex min-h-6 items-center gap-1.5 rounded-badge font-medium text-accent-text hover:underline"
                >
                  {each.label}
                  <ArrowRight size={14} aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  )
}
