import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { takeShare } from '../../data/secret-shares.ts'
import { causeOf } from '../../lib/error-text.ts'
import type { SharedText } from '../../lib/share-box.ts'
import { isShareKey } from '../../lib/share-box.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Notice } from '../../ui/notice.tsx'

/**
 * Where a link to a secret leads. Nothing is asked of the server before one clicks: what previews a link in a chat or
 * mail must not use it up.
 */
export function SharePage() {
  const { id = '' } = useParams({ strict: false })
  // Browsers keep the fragment to themselves, so the server never sees the key.
  const [key] = useState(() => location.hash.slice(1))
  const [shown, setShown] = useState<SharedText>()
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const isWhole = isShareKey(key)

  async function show(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      setShown(await takeShare(id, key))
      // The key opens nothing any more; it need not stay in the history either.
      history.replaceState(history.state, '', location.pathname)
    } catch (failure) {
      setError(failure)
    } finally {
      setPending(false)
    }
  }
  return (
    <main id="main" tabIndex={-1} className="flex min-h-dvh flex-col px-(--gutter) py-6">
      <p className="flex items-center gap-2.5 text-lead font-semibold">
        <Mark size={24} />
        Bey
      </p>
      <div className="m-auto flex w-full max-w-lg flex-col gap-4 py-8">
        <h1 className="text-title font-semibold">A secret for you</h1>
        {shown ? (
          <Shown text={shown} onHide={() => setShown({ value: '' })} />
        ) : (
          <>
            <p className="text-text-2">
              A value is shared with you. It is shown once: have a safe place ready for it, such as a password
              manager.
            </p>
            {isWhole ? null : (
              <Notice tone="warn" title="The link is incomplete">
                It ends in # and 43 characters. Copy it again, with its end.
              </Notice>
            )}
            {error ? (
              <Notice tone="danger" title="Nothing is shown">
                {causeOf(error)}
              </Notice>
            ) : null}
            <div>
              <Button
                variant="primary"
                busy={isPending}
                disabledReason={isWhole ? undefined : 'The link is incomplete.'}
                onClick={() => void show()}
              >
                Show
              </Button>
            </div>
          </>
        )}
      </div>
    </main>
  )
}

function Shown({ text: { name, value }, onHide }: { text: SharedText; onHide: () => void }) {
  if (value === '')
    return <p className="text-text-2">The value is hidden. This link does not show it again.</p>
  return (
    <>
      {name === undefined ? null : <p className="text-text-2">The value of {name}:</p>}
      <div className="flex items-start rounded-control border border-line bg-sunken">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label="Value"
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-96 min-w-0 flex-1 overflow-auto p-3 font-mono text-small break-all whitespace-pre-wrap"
        >
          {value}
        </pre>
        <div className="p-1">
          <CopyButton text={value} label="Copy value" />
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-small text-text-2">The server has wiped it. It is now on this page only.</p>
        <Button size="small" onClick={onHide}>
          Hide
        </Button>
      </div>
    </>
  )
}
