import { ApiError } from '@bey/client'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { engineErrorText, serverPort } from './engine-text.ts'

const hints = [
  'Make sure that you are logged in',
  'Make sure that the backend server is running',
  'Look for errors in the browser console',
  'Make sure that your token is still valid',
]

/** Why the engine's status is not to be had, and what to look at. */
export function EngineFailure({ error }: { error: unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : ''
  return (
    <Notice tone="danger" title="Cannot Load Engine Status">
      <p>{engineErrorText(error, serverPort(location))}</p>
      {requestId ? (
        <p className="flex items-center gap-1 text-small">
          Request <code className="font-mono">{requestId}</code>
          <CopyButton text={requestId} label="Copy request id" />
        </p>
      ) : null}
      <ul className="mt-1 list-disc pl-4">
        {hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </Notice>
  )
}
