import { deniedReason } from '@bey/contract'
import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useClusterStaleReason } from '../../clusters/use-cluster-stale-reason.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Section } from '../../../ui/section.tsx'
import { decodedText } from './data-entries.ts'
import type { PanelSubject } from './panel-view.tsx'
import { readSecretValue } from './read-secret.ts'

/** How long a value stays on the screen, in milliseconds. */
const shownMs = 30_000

/** The keys of a Secret. A value is read one at a time, by anyone who may, and is hidden again after 30 seconds. */
export function SecretKeys({
  title,
  keys,
  subject,
}: {
  title: string
  keys: readonly string[]
  subject: PanelSubject
}) {
  const denied = deniedReason(useRole(), 'kubernetes.secrets')
  return (
    <Section title={title}>
      <p className="mb-3 text-text-2">
        {denied ?? 'Reveal reads the value from the cluster; the audit log records that you did.'}
      </p>
      {keys.length === 0 ? <p className="text-text-2">This secret holds nothing.</p> : null}
      <ul className="divide-y divide-line border-y border-line">
        {keys.map((key) => (
          <SecretKey key={key} name={key} subject={subject} denied={denied} />
        ))}
      </ul>
    </Section>
  )
}

type Reveal =
  | { state: 'hidden' }
  | { state: 'reading' }
  | { state: 'shown'; value: string }
  | { state: 'failed'; reason: string }

function SecretKey({
  name,
  subject,
  denied,
}: {
  name: string
  subject: PanelSubject
  denied: string | undefined
}) {
  const stale = useClusterStaleReason(subject.cluster.id)
  const { reveal, show, hide } = useReveal(subject, name)
  const text = reveal.state === 'shown' ? decodedText(reveal.value) : null
  return (
    <li className="grid gap-2 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="font-mono text-small font-medium break-all">{name}</h3>
        {reveal.state === 'shown' ? (
          <Button
            size="small"
            icon={<EyeOff size={14} aria-hidden />}
            onClick={hide}
            aria-label={`Hide ${name}`}
          >
            Hide
          </Button>
        ) : (
          <Button
            size="small"
            icon={<Eye size={14} aria-hidden />}
            busy={reveal.state === 'reading'}
            disabledReason={denied ?? stale}
            onClick={show}
            aria-label={`Reveal ${name}`}
          >
            Reveal
          </Button>
        )}
      </div>
      {reveal.state === 'shown' ? (
        <>
          <CodeBlock label={`Value of ${name}`} text={text ?? reveal.value} />
          <p className="text-small text-text-2">
            {text === null ? 'Binary data, as Base64. ' : ''}Hidden again after 30 seconds.
          </p>
        </>
      ) : null}
      <p role="alert" className={reveal.state === 'failed' ? 'text-danger' : 'hidden'}>
        {reveal.state === 'failed' ? `The value could not be read: ${reveal.reason}` : null}
      </p>
    </li>
  )
}

function useReveal({ cluster, namespace, name }: PanelSubject, key: string) {
  const [reveal, setReveal] = useState<Reveal>({ state: 'hidden' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  useEffect(() => {
    if (reveal.state !== 'shown') return
    const timer = setTimeout(() => setReveal({ state: 'hidden' }), shownMs)
    return () => clearTimeout(timer)
  }, [reveal])
  async function show() {
    const controller = new AbortController()
    reading.current = controller
    setReveal({ state: 'reading' })
    try {
      const value = await readSecretValue(cluster.id, namespace, name, key, controller.signal)
      setReveal({ state: 'shown', value })
    } catch (error) {
      if (!controller.signal.aborted) setReveal({ state: 'failed', reason: causeOf(error) })
    }
  }
  return { reveal, show: () => void show(), hide: () => setReveal({ state: 'hidden' }) }
}
