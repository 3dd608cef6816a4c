import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { ShareForm } from './share-form.tsx'
import { ShareTable } from './share-table.tsx'

/** Gives a text to somebody by a link that opens once, and lists the links that the user made. */
export function SecretLinksPage() {
  const list = useRead('secretShares.list', { query: {} })
  const failure = failureOf('Failed to fetch links', list)
  const denied = deniedReason(useRole(), 'secrets.create')
  const stale = useStaleReason()
  return (
    <>
      <PageHeader
        title="Links that open once"
        description="Give a person a password or key without leaving it in a chat or mailbox."
      />
      <div className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 xl:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
        <Section title="Share a text">
          <ShareForm disabledReason={denied ?? stale} />
        </Section>
        <Section title="Your links" aside="those of secrets included">
          {failure ? (
            <ErrorState {...failure} />
          ) : (
            <ShareTable
              shares={list.data?.shares}
              empty={
                <EmptyState
                  title="You have made no links yet"
                  description="What became of each is listed here: whether it waits, was opened and from where, has expired or was revoked."
                />
              }
            />
          )}
        </Section>
      </div>
    </>
  )
}
