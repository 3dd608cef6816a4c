import type { HostTest, IngressHost } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { HostTestResult } from './host-test-result.tsx'

const schemes = [
  { value: 'https', label: 'HTTPS' },
  { value: 'http', label: 'HTTP' },
] as const

interface Draft {
  clusterId: number
  host: string
  path: string
  scheme: 'https' | 'http'
  port: string
  address: string
}

/** Tests a host from the server, and shows each step on one time axis. */
export function HostTestPanel({ host }: { host: IngressHost }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(host))
  const [result, setResult] = useState<HostTest>()
  const denied = deniedReason(useRole(), 'networks.test')
  const stale = useStaleReason()
  const mutation = useChange('ingress.test')
  const invalid = problemsOf(draft)
  const { errors, refusal, isBusy, onSubmit, onChange } = useSubmission({
    mutation,
    invalid,
    input: Object.keys(invalid).length > 0 ? undefined : inputOf(draft),
    lost: undefined,
    hasField: (path) => ['host', 'path', 'port', 'address'].includes(path),
    onSaved: setResult,
  })
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    onChange()
  }
  const text = (key: 'host' | 'path' | 'port' | 'address', label: string, placeholder?: string) => (
    <Field label={label} error={errors[key]} className="min-w-0">
      {(control) => (
        <Input
          {...control}
          value={draft[key]}
          placeholder={placeholder}
          onChange={(event) => change({ [key]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <Section title="Test from the server">
      <form
        noValidate
        aria-label="Test from the server"
        onSubmit={(event) => {
          event.preventDefault()
          if (denied === undefined && stale === undefined) onSubmit()
        }}
        className="flex flex-col gap-3"
      >
        <div className="grid items-start gap-3 sm:grid-cols-2 @3xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)_minmax(0,2fr)]">
          {text('host', 'Host')}
          {text('path', 'Path')}
          {text('port', 'Port', draft.scheme === 'https' ? '443' : '80')}
          {text('address', 'Address instead of DNS', host.addresses[0] ?? 'as the name resolves')}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Protocol"
            options={schemes}
            value={draft.scheme}
            onChange={(scheme) => change({ scheme })}
          />
          {host.clusters.length > 1 ? (
            <Select
              aria-label="Cluster"
              controlSize="small"
              value={String(draft.clusterId)}
              options={host.clusters.map(({ id, title }) => ({ value: String(id), label: title }))}
              onChange={(event) => change({ clusterId: Number(event.target.value) })}
            />
          ) : null}
          <Button type="submit" size="small" busy={isBusy} disabledReason={denied ?? stale}>
            Test host
          </Button>
          <span className="text-small text-text-3">Each step has 5 s. Redirects are not followed.</span>
        </div>
      </form>
      {refusal === undefined ? null : (
        <div className="mt-3">
          <Notice tone="danger" title="The host was not tested">
            {refusal}
          </Notice>
        </div>
      )}
      {result ? <HostTestResult result={result} /> : null}
    </Section>
  )
}

function draftOf(host: IngressHost): Draft {
  const name = host.host === '' ? (host.addresses[0] ?? '') : host.host.replace(/^\*/, 'www')
  return {
    clusterId: host.clusters[0]?.id ?? 0,
    host: name,
    path: host.routes.find(({ path }) => path.startsWith('/'))?.path ?? '/',
    scheme: host.tls === 'none' ? 'http' : 'https',
    port: '',
    address: '',
  }
}

function problemsOf({ host, path, port }: Draft): Record<string, string> {
  const number = Number(port)
  return {
    ...(host.trim() === '' && { host: 'Enter a host.' }),
    ...(!path.startsWith('/') && { path: 'A path begins with /.' }),
    ...(port.trim() !== '' &&
      !(Number.isInteger(number) && number >= 1 && number <= 65_535) && {
        port: 'Enter a port from 1 to 65535.',
      }),
  }
}

function inputOf({ clusterId, host, path, scheme, port, address }: Draft) {
  return {
    params: { id: clusterId },
    body: {
      host: host.trim(),
      path,
      isTls: scheme === 'https',
      ...(port.trim() !== '' && { port: Number(port) }),
      ...(address.trim() !== '' && { address: address.trim() }),
    },
  }
}
