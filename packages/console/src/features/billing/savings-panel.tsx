import type { SavingList } from '../../data/billing.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { billingHref } from './billing-search.ts'
import { estimateText } from '../../entities/billing/money.ts'

const maxShown = 5

/** The largest savings beside the spend of the month, each with a link to its change. */
export function SavingsPanel({ list }: { list: SavingList }) {
  const { savings, currency, total, notJudged } = list
  const rest = savings.length - maxShown
  return (
    <Section
      title="What could be saved"
      aside={
        <>
          <strong className="font-semibold text-text tabular-nums">{estimateText(total, currency)}</strong> a
          month, estimated
        </>
      }
    >
      {savings.length === 0 ? (
        <p className="border-t border-line py-2.5 text-text-2">
          {notJudged.length === 0 ? 'No saving found.' : 'No saving found yet.'} <AllLink text="Show why" />
        </p>
      ) : (
        <ul className="border-t border-line">
          {savings.slice(0, maxShown).map(({ id, title, detail, amount }) => (
            <li key={id} className="flex items-center gap-3 border-b border-line py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{title}</span>
                <span className="block text-small text-text-2 wrap-anywhere">{detail}</span>
              </span>
              <span className="shrink-0 tabular-nums">{estimateText(amount, currency)}</span>
              <ButtonLink
                size="small"
                aria-label={`Show the change: ${title}`}
                href={billingHref({ tab: 'savings', saving: id })}
              >
                Show
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 ? (
        <p className="mt-2">
          <AllLink text={`Show ${rest} more`} />
        </p>
      ) : null}
    </Section>
  )
}

const AllLink = ({ text }: { text: string }) => (
  <Link href={billingHref({ tab: 'savings' })} className="text-accent-text underline">
    {text}
  </Link>
)
