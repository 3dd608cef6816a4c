import type { Permission } from '@bey/contract'
import { deniedReason, permissionTable } from '@bey/contract'
import { useState } from 'react'
import type { ApiOperation } from '../../data/api-reference.ts'
import { useCurrentOrganization, useOrganizationId, useRole, useUser } from '../../data/session.ts'
import { curlCommand } from '../../lib/curl.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { CallForm } from './call-form.tsx'
import type { CallInput } from './call.ts'
import { callOf, isDestructive, problemOf } from './call.ts'
import type { PastCall } from './history.tsx'
import { ReplyView } from './reply-view.tsx'
import type { Sender } from './use-sender.ts'

export interface EndpointPanelProps {
  operation: ApiOperation
  input: CallInput
  onInput: (input: CallInput) => void
  sender: Sender
  shown: PastCall | undefined
}

/** One endpoint: what it is, what it takes, the same as a command, and what it answered. */
export function EndpointPanel({ operation, input, onInput, sender, shown }: EndpointPanelProps) {
  const organizationId = useOrganizationId()
  const call = callOf(operation, input, organizationId)
  const problem = problemOf(operation, input)
  const [isAsking, setAsking] = useState(false)
  const send = () => {
    setAsking(false)
    sender.send(operation, input, call)
  }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <EndpointHead operation={operation} />
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (problem || sender.isSending) return
          if (isDestructive(operation)) setAsking(true)
          else send()
        }}
      >
        <CallForm operation={operation} input={input} onChange={onInput} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" busy={sender.isSending} disabledReason={problem}>
            Send {operation.method}
          </Button>
          {sender.isSending ? <Button onClick={sender.cancel}>Cancel</Button> : null}
          {problem ? <span className="text-small text-text-2">{problem}</span> : null}
        </div>
      </form>
      {shown ? (
        typeof shown.outcome === 'string' ? (
          <ErrorState isCompact title="No response" detail={shown.outcome} />
        ) : (
          <ReplyView reply={shown.outcome} name={operation.operationId} />
        )
      ) : null}
      <Section title="As a command">
        <CodeBlock label="curl command" text={curlCommand(call, location.origin)} />
      </Section>
      {isAsking ? (
        <ConfirmCall
          operation={operation}
          path={call.path}
          onClose={() => setAsking(false)}
          onConfirm={send}
        />
      ) : null}
    </div>
  )
}

function EndpointHead({ operation }: { operation: ApiOperation }) {
  const { access } = operation
  const role = useRole()
  const denied = isPermission(access) ? deniedReason(role, access) : undefined
  return (
    <header className="flex flex-col gap-2">
      <h2 className="text-dialog font-semibold">{operation.summary}</h2>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="font-mono text-small break-all">
          {operation.method} {operation.path}
        </code>
        <Badge>{operation.operationId}</Badge>
        <Badge>{accessText(access)}</Badge>
      </p>
      {denied ? (
        <Notice tone="warn" title="The server will refuse this call.">
          {denied}
        </Notice>
      ) : null}
    </header>
  )
}

interface ConfirmCallProps {
  operation: ApiOperation
  path: string
  onClose: () => void
  onConfirm: () => void
}

function ConfirmCall({ operation, path, onClose, onConfirm }: ConfirmCallProps) {
  const user = useUser()
  const organization = useCurrentOrganization()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`${operation.summary}?`}
      name={`${operation.method} ${path}`}
      impactTitle="The call is real:"
      impact={[`as ${user?.name ?? 'nobody'}`, `in ${organization?.name ?? 'no organization'}`]}
      action={`Send ${operation.method}`}
      onConfirm={onConfirm}
    />
  )
}

function isPermission(access: string): access is Permission {
  return access in permissionTable
}

function accessText(access: string): string {
  if (access === 'public') return 'for anybody'
  return access === 'user' ? 'for who is logged in' : `needs ${access}`
}
