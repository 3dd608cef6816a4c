import { Info } from 'lucide-react'
import { useDemo, useRemoveDemo } from '../../data/demo.ts'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { causeOf } from '../../lib/error-text.ts'
import { dayText } from '../../ui/time-text.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'

/** On every page of a demo: what it is, how it goes, and the way back. Its being shown keeps the clusters awake. */
export default function DemoBanner() {
  const organization = useCurrentOrganization()
  const home = useUser()?.organizations.find(({ demoEndsAt }) => demoEndsAt === undefined)
  const demo = useDemo()
  const remove = useRemoveDemo()
  if (organization?.demoEndsAt === undefined) return null
  const starting = demo.data?.clusters.filter(({ isReady }) => !isReady).length ?? 0
  return (
    <section
      aria-label="Demo"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-info-soft px-(--gutter) py-1.5"
    >
      <Info size={15} aria-hidden className="shrink-0 text-info max-md:hidden" />
      <p className="min-w-0 flex-1 basis-32 text-small md:basis-64 md:text-body">
        <strong className="font-semibold">Demo: seeded data.</strong>{' '}
        {starting > 0
          ? `${starting} of ${demo.data?.clusters.length} clusters ${starting === 1 ? 'is' : 'are'} starting; figures arrive by themselves.`
          : null}
        <span className="max-md:hidden">
          {starting > 0 ? ' ' : 'Invented people and history, real software; what you break stays here. '}
          It goes by itself on {dayText(new Date(organization.demoEndsAt))}.
        </span>
      </p>
      <span className="flex gap-2">
        {organization.role === 'OWNER' ? (
          <Button
            size="small"
            busy={remove.isPending}
            // The banner is gone before it could be called back.
            onClick={() =>
              void remove.mutateAsync().then(
                () => toast('success', 'The demo is removed, with everything in it.'),
                (error: unknown) =>
                  toast('error', 'Failed to remove the demo', { description: causeOf(error) }),
              )
            }
          >
            <span>
              Remove<span className="max-md:sr-only"> the demo</span>
            </span>
          </Button>
        ) : null}
        {home ? (
          <Button size="small" onClick={() => void session.switchOrganization(home.id)}>
            <span>
              Back<span className="max-md:sr-only"> to {home.name}</span>
            </span>
          </Button>
        ) : null}
      </span>
    </section>
  )
}
