import type { Approval } from '@bey/contract'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { neededText, timeoutText } from './approval-text.ts'

/** What is known of a question before it is decided: names at 120 px, values with the rest of the room. */
export function ApprovalFacts({ approval, now }: { approval: Approval; now: number }) {
  const { facts, stepName, approvers, status, expiresAt, onTimeout } = approval
  const rows: { label: string; value: ReactNode }[] = [
    ...facts.map(({ name, value }) => ({ label: name, value: <WithReferences text={value} /> })),
    { label: 'Step', value: stepName },
    { label: 'Needs', value: neededText(approval, now) },
    { label: 'Who may decide', value: approvers },
    ...(status === 'pending' && expiresAt
      ? [{ label: 'If nobody decides in time', value: timeoutText(onTimeout) }]
      : []),
  ]
  return (
    <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4">
      {rows.map(({ label, value }) => (
        <Fragment key={label}>
          <dt className="border-t border-line py-1.5 text-text-2">{label}</dt>
          <dd className="min-w-0 border-t border-line py-1.5 break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** An image as registries name it: `registry.example.com/shop/web:2.14.0`. */
const reference = /((?:[\w.-]+(?::\d+)?\/)+[\w.-]+(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?)/

/** A text whose images are in the mono face and break after a slash alone, never within a version. */
export function WithReferences({ text }: { text: string }) {
  return text.split(reference).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code
        // Parts of a text have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        key={index}
        className="font-mono font-normal whitespace-nowrap max-md:wrap-anywhere max-md:whitespace-normal"
      >
        {part.split('/').map((piece, place) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={place}>
            {place === 0 ? '' : '/'}
            {place === 0 ? null : <wbr />}
            {piece}
          </Fragment>
        ))}
      </code>
    ),
  )
}
