import type { ConnectFormat, ConnectTarget } from '@bey/contract'
import {
  connectFormatLabels,
  connectFormatsOf,
  connectText,
  engineRefusal,
  passwordPlaceholder,
} from '@bey/contract'
import { Copy, Download, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { revealSecret } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'
import { copyForAWhile } from '../../entities/secrets/use-reveal.ts'
import { causeOf } from '../../lib/error-text.ts'
import { downloadText } from '../../lib/download.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { toast } from '../../ui/toast.ts'
import { useClientAccess } from './use-client-access.ts'

type Endpoint = NonNullable<Database['endpoint']>

/** Under this name the certificates are saved, and named in what clients on other machines are given. */
const authorityFile = 'bey-ca.pem'

/** What a client is given, for each language. The password exists only in what is copied. */
export function ConnectionString({ database, endpoint }: { database: Database; endpoint: Endpoint }) {
  const [format, setFormat] = useState<ConnectFormat>('uri')
  const [from, setFrom] = useState<'here' | 'networks'>('here')
  const [isCopying, setCopying] = useState(false)
  const { credential: secret, name } = database
  const held = useRead('secrets.get', { params: { id: secret?.id ?? '' } }, { isEnabled: secret !== null })
  const role = useRole()
  const refusal = held.data ? revealReason(held.data, role) : secret === null ? undefined : 'Loading...'
  const access = useClientAccess(database)
  const isFromNetworks = from === 'networks' && access
  const target: ConnectTarget = isFromNetworks
    ? { ...endpoint, host: access.host, tls: 'verify-full', authorityFile }
    : endpoint

  async function copy(withPassword: boolean): Promise<void> {
    setCopying(true)
    try {
      if (secret === null || !withPassword) {
        await navigator.clipboard.writeText(connectText(format, target))
        toast('success', 'Copied')
        return
      }
      const { value } = await revealSecret(secret.id, `Connecting to the database ${name}`)
      await copyForAWhile(connectText(format, target, typeof value === 'string' ? value : ''))
      toast('success', 'Copied with the password; the clipboard is emptied after a minute')
    } catch (error) {
      toast('error', `Failed to copy: ${causeOf(error)}`)
    } finally {
      setCopying(false)
    }
  }

  return (
    <Section
      title="String"
      aside={
        <Segmented
          label="Format"
          value={format}
          onChange={setFormat}
          options={connectFormatsOf(endpoint).map((value) => ({ value, label: connectFormatLabels[value] }))}
        />
      }
    >
      {access ? (
        <div className="mb-3">
          <Segmented
            label="Where the client runs"
            value={from}
            onChange={setFrom}
            options={[
              { value: 'here', label: 'On this machine' },
              { value: 'networks', label: 'In an admitted network' },
            ]}
          />
        </div>
      ) : null}
      <div className="rounded-card border border-line">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label="Connection string"
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="overflow-auto p-4 font-mono text-small leading-6 whitespace-pre-wrap break-all"
        >
          {withMark(connectText(format, target), secret !== null)}
        </pre>
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
          {isFromNetworks ? (
            <Button
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(authorityFile, access.authorities, 'application/x-pem-file')}
            >
              Download {authorityFile}
            </Button>
          ) : null}
          <Button icon={<Copy size={14} aria-hidden />} onClick={() => void copy(false)}>
            {secret === null ? 'Copy' : 'Copy without password'}
          </Button>
          {secret === null ? null : (
            <Button
              variant="primary"
              icon={<KeyRound size={14} aria-hidden />}
              busy={isCopying}
              disabledReason={refusal}
              onClick={() => void copy(true)}
            >
              Copy with password
            </Button>
          )}
        </div>
      </div>
      {isFromNetworks ? (
        <p className="mt-2 text-small text-text-3">
          The client checks by {authorityFile} that it reached {access.host} and nobody in between. The file
          is no secret.
        </p>
      ) : null}
      {secret === null ? null : (
        <p className="mt-2 text-small text-text-3">
          The password is read when you copy it, and the audit log records who did.
          {engineRefusal(database) === undefined && database.cluster === null ? (
            <>
              {' Without copying, '}
              <code>{`bey databases connect ${name}`}</code> opens psql.
            </>
          ) : null}
        </p>
      )}
    </Section>
  )
}

/** The string with a mark in the place of the password. */
function withMark(text: string, hasPassword: boolean) {
  const parts = text.split(passwordPlaceholder)
  if (!hasPassword || parts.length < 2) return parts.join('')
  return parts.map((part, index) => (
    // Parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {index > 0 ? (
        <span className="inline-flex items-center gap-1 rounded-badge bg-accent-soft px-1.5 font-sans text-accent-text">
          <KeyRound size={12} aria-hidden />
          read when you copy
        </span>
      ) : null}
      {part}
    </span>
  ))
}
