import type { InvitationResult } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { copyLabel, useCopy } from '../../ui/use-copy.ts'

/** What became of each address, with the link of each invited one. */
export function InviteResults({ results }: { results: readonly InvitationResult[] }) {
  const invited = results.filter(({ link }) => link !== null)
  const { outcome, copy } = useCopy()
  const allLinks = invited.map(({ email, link }) => `${email}\t${link ?? ''}`).join('\n')
  const refused = results.length - invited.length
  return (
    <div className="flex flex-col gap-4 pb-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <output className="text-text-2">
          {formatCount(invited.length, 'person', 'people')} invited
          {refused > 0 ? `, ${formatCount(refused, 'address', 'addresses')} left out` : ''}.
        </output>
        {invited.length > 1 ? (
          <Button onClick={() => void copy(allLinks)}>{copyLabel(outcome, 'Copy all links')}</Button>
        ) : null}
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {results.map(({ email, outcome: what, message, link }) => (
          <li key={email} className="flex items-center gap-3 py-2">
            <span className={what === 'invited' ? 'text-text-3' : 'text-warn'}>
              <StatusMark glyph={what === 'invited' ? 'check' : 'triangle'} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{email}</span>
              <span className="block text-small text-text-2">{message}</span>
            </span>
            {link === null ? null : <CopyButton text={link} label={`Copy the link for ${email}`} />}
          </li>
        ))}
      </ul>
    </div>
  )
}
